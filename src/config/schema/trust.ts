import { z } from "zod";
import { isHostPattern } from "../../core/host-list.ts";
import { key } from "./key.ts";

const NETWORK = "expected true, false, or a list of hosts such as [api.anthropic.com]";
const Hosts = z.array(z.string().refine(isHostPattern, NETWORK));

const From = z.enum(["collaborators", "everyone", "nobody"]);

/** Whose words reach agents without a person: issues, pull requests, comments. */
export const Trust = z
  .union(
    [
      From,
      z.strictObject({
        from: key(
          From,
          "Whose issues, pull requests and comments count as trusted: those of people who can push, everyone's, or nobody's.",
          "collaborators",
        ),
        allow: key(z.array(z.string().min(1)), "Accounts that are trusted whatever `from` says.", []),
        deny: key(z.array(z.string().min(1)), "Accounts that are never trusted.", []),
        autoMerge: key(z.boolean(), "Also merge automatically after an agent has read untrusted text.", false),
        push: key(
          z.boolean(),
          "Push what an agent commits after it has read untrusted text; false: each commit waits for `ao pass`.",
          true,
        ),
        network: key(
          z.union([z.boolean(), Hosts], { error: NETWORK }),
          "Hosts that an agent in a sandbox with a list of hosts can still reach after it has read untrusted text; false: only its model's; a list: only these.",
          true,
        ),
      }),
    ],
    {
      error:
        "expected collaborators, everyone or nobody, or an object with from, allow, deny, autoMerge, push and network",
    },
  )
  .meta({ id: "Trust" });
