import { describeNotifierContract } from "../contracts/notifier.contract.ts";
import { createFakeNotifier } from "./notifier.ts";

describeNotifierContract({
  name: "the fake notifier",
  create: () => {
    const { notifier, delivered, breakDown } = createFakeNotifier();
    return {
      notifier,
      breakDown,
      delivered: () =>
        delivered.map((notices) => ({
          text: notices.map(({ title, text }) => `${title}\n${text}`).join("\n"),
          key: notices.map(({ id }) => id).join(" "),
        })),
    };
  },
});
