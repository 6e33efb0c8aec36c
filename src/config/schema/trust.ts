import { z } from "zod";
import { key } from "./key.ts";

const From = z.enum(["collaborators", "everyone", "nobody"]);

/** Whose comments reach agents without a person. */
export const Trust = z
  .union(
    [
      From,
      z.strictObject({
        from: key(
          From,
          "Whose comments on a forge reach agents: people who can push, everyone, or nobody.",
          "collaborators",
        ),
        allow: key(z.array(z.string().min(1)), "Accounts that are trusted whatever `from` says.", []),
        deny: key(z.array(z.string().min(1)), "Accounts that are not.", []),
        autoMerge: key(z.boolean(), "Also merge automatically after an agent read untrusted comments.", false),
        push: key(
          z.boolean(),
          "Push what an agent commits after it read untrusted comments; false: each commit waits for `ao pass`.",
          true,
        ),
      }),
    ],
    { error: "expected collaborators, everyone or nobody, or an object with from, allow, deny, autoMerge and push" },
  )
  .meta({ id: "Trust" });
