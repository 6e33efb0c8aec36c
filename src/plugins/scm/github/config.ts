import { z } from "zod";
import { GithubConfig } from "../../../providers/github/address.ts";

export const Config = GithubConfig.extend({
  statusComment: z
    .boolean()
    .default(true)
    .describe("Keep one comment on each pull request that says how it stands; edited at most 20 times an hour."),
});

export type GithubScmConfig = z.infer<typeof Config>;
