/** Lines in docs/user that are not run here, with the reason. */
export const NOT_TYPED: Readonly<Record<string, string>> = {
  "ao start ~/code/my-app https://github.com/your-org/your-repo": "needs the network",
  "ao demo": "test/e2e/demo",
  "ao demo --exit --speed fast": "test/e2e/demo",
  'ao new "Speed up the search" --count 3 --model opus':
    "needs a vendor's agent; src/app/actions/choose-launch.test.ts",
  'ao new "Show the new field" --on my-app-fix-login': "it may be merged in this run; test/e2e/cli/stacked.test.ts",
  'ao pr base "#8" main': "there is no #8; test/e2e/cli/stacked.test.ts",
  "ao ui": "needs a terminal; test/e2e/cli/board.long.test.ts",
  "ao attach 42 --takeover": "needs a terminal and a vendor's agent; test/e2e/cli/takeover.long.test.ts",
  "ao interrupt my-app-fix-login": "the scripted agent ends its turns at once; test/e2e/cli/interrupt.long.test.ts",
  "ao answer my-app-fix-login": "the scripted agent asks nothing; test/e2e/cli/journey.test.ts",
  "ao answer my-app-fix-login allow always": "the scripted agent asks nothing",
  'ao answer 42 "no, use sed instead"': "the scripted agent asks nothing",
  "ao open --qr": "needs a daemon that listens on the network; src/app/network.test.ts, src/cli/views/qr-code.test.ts",
  "ao ack my-app/3/ci-failed:unit": "its check passes; test/e2e/cli/pull-requests.test.ts",
  "ao ack my-app-fix-login/question --for 2h": "the scripted agent asks nothing; test/e2e/api/walk.test.ts snoozes",
  "ao pass my-app/3/changes-requested:r-1":
    "nothing of it waits for a person; test/e2e/reactions/actions.test.ts passes",
  "ao unsend my-app-fix-login m-1f0c2aa9":
    "the scripted agent takes its messages at once; test/e2e/api/walk.test.ts cancels one",
  "ao claim-pr 17": "needs a forge; test/e2e/github/claim.test.ts",
  'ao claim-pr 17 -m "Add the missing tests."': "needs a forge; test/e2e/github/claim.test.ts",
  'ao pr open my-app-fix-login --title "Fix the login form"': "it has a pull request already",
  "ao pr push my-app-fix-login": "needs a forge; test/e2e/github/publish.test.ts",
  'ao pr close "#3" --reason "done another way"':
    "it is merged in this run; test/e2e/cli/pull-request-api.long.test.ts",
  "ao train move 7 1 --project my-app": "there is no #7 in the train; src/core/train/train.test.ts",
  "ao merge my-app-fix-login --cancel": "nothing holds its merge up",
  "ao merge my-app-fix-login --explain": "exits with 1 until its check has passed; src/core/merge/explain.test.ts",
};

/** What a line needs first, as a command line. */
export const BEFORE: Readonly<Record<string, string>> = {
  "ao completion bash > ~/.local/share/bash-completion/completions/ao":
    "mkdir -p ~/.local/share/bash-completion/completions",
  "ao completion zsh > ~/.zfunc/_ao": "mkdir -p ~/.zfunc",
  "ao completion fish > ~/.config/fish/completions/ao.fish": "mkdir -p ~/.config/fish/completions",
  "ao replay --since 30d --config new.yaml": "cp agent-orchestrator.yaml new.yaml",
  'ao commit my-app-fix-login -m "Fix the login form"': 'echo by hand > "$(ao path my-app-fix-login)/by-hand.md"',
};

/** Lines that run until Ctrl+C. */
export const UNTIL_CTRL_C: readonly string[] = [
  "ao list --watch",
  "ao attach my-app-fix-login",
  "ao logs my-app-fix-login -f",
  "ao events --follow",
];

/** Lines that others need, in this order; the rest follows in the order of the page. */
export const FIRST: readonly string[] = ["ao start", "ao spawn 41 42 43"];

/** Lines after which others would not work, in this order. */
export const LAST: readonly string[] = [
  'ao reply my-app-fix-login rv-1a2b3c4d.1 "Only until the next release"',
  "ao train pause --project my-app",
  "ao train resume --project my-app",
  "ao pause",
  "ao pause --project my-app",
  "ao resume",
  "ao resume --project my-app",
  'ao approve "#3" --head 1a2b3c4',
  'ao merge "#3" --strategy rebase',
  "ao stop my-app-fix-login",
  "ao restore my-app-fix-login",
  "ao approve my-app-fix-login",
  "ao merge my-app-fix-login",
  "ao cleanup --dry-run",
  "ao stop --project my-app --all",
  "ao remove-project my-app",
  "ao stop",
];
