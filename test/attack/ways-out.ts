/** What an attempt can refer to; all of it is outside what the sandbox may write. */
export interface Outside {
  readonly repo: string;
  readonly home: string;
  readonly user: string;
  readonly daemonPid: number;
}

/** Commands that an agent in a sandbox tries, by topic. `evil.sh` in its folder leaves evidence if it ever runs outside. */
export const WAYS_OUT: readonly (readonly [name: string, command: (outside: Outside) => string])[] = [
  ["settings of the repository", () => evilSettings("git config")],
  ["settings of its worktree", () => evilSettings("git config --worktree")],
  ["settings written past git", ({ repo }) => `${EVIL_FILE}; for f in ${places(repo, "config")}; do cp ev $f; done`],
  [
    "a commondir",
    ({ repo }) =>
      `git init -q --bare c; ${evilSettings("git -C c config")}; for f in ${places(repo, "commondir")}; do echo $PWD/c > $f; done`,
  ],
  [
    "hooks",
    ({ repo }) =>
      `for h in post-checkout reference-transaction post-index-change fsmonitor-watchman; do for f in ${places(repo, "hooks")}; do mkdir -p $f; cp evil.sh $f/$h; done; done`,
  ],
  [
    "attributes with a filter",
    ({ repo }) =>
      `echo '* filter=x diff=x merge=x' > .gitattributes; for f in ${places(repo, "info")}; do mkdir -p $f; echo '* filter=x' > $f/attributes; done; echo changed >> a.txt`,
  ],
  [
    "alternates that name the home of ao",
    ({ repo, home }) =>
      `for f in ${places(repo, "objects/info/alternates")}; do printf '%s\\n' ${home} ${home}/token > $f; done`,
  ],
  ["another .git", () => "mv .git gone; rm -rf .git; git init -q . ; echo 'gitdir: /tmp' > .git"],
  [
    "settings of a submodule",
    () =>
      `git -c protocol.file.allow=always submodule --quiet update --init; ${evilSettings("git -C lib config")}; find "$(git rev-parse --git-dir)/modules" -name config -exec sh -c 'cp ev "$1"' sh {} \\;; echo x > lib/x`,
  ],
  [
    "a submodule of its own",
    () =>
      "git init -q g; cp ev g/.git/config; mv g/.git g.git; mkdir -p sub; echo 'gitdir: ../g.git' > sub/.git; echo '* filter=x' > sub/.gitattributes; echo x > sub/x; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub",
  ],
  [
    "a command in .gitmodules",
    () =>
      "printf '[submodule \"sub\"]\\n\\tpath = sub\\n\\turl = ext::sh evil.sh\\n\\tupdate = !sh evil.sh\\n' >> .gitmodules",
  ],
  [
    "transfer programs of LFS",
    () => "printf '[lfs]\\n\\turl = ext::sh evil.sh\\n[lfs \"customtransfer.x\"]\\n\\tpath = evil.sh\\n' > .lfsconfig",
  ],
  [
    "links in place of git's files",
    ({ repo, user }) =>
      `for n in info/exclude info/sparse-checkout logs/HEAD logs/refs/heads/main COMMIT_EDITMSG FETCH_HEAD ORIG_HEAD index packed-refs shallow; do for f in ${places(repo, "$n")}; do ln -sf ${user}/.bashrc $f; done; done 2> /dev/null`,
  ],
  [
    "a link in place of a branch",
    ({ repo, user }) =>
      `ln -sf ${user}/.bashrc ${repo}/.git/refs/heads/linked; ln -sf ${user}/.bashrc $(git rev-parse --git-dir)/HEAD.lock`,
  ],
  [
    "the git folder of another session",
    ({ repo }) =>
      `for f in ${repo}/.git/worktrees/*/; do [ "$f" = "$(git rev-parse --git-dir)/" ] || cp ev $f/config.worktree; done`,
  ],
  ["the user's checkout", ({ repo }) => `echo evil > ${repo}/evil.txt; rm -f ${repo}/a.txt`],
  [
    "the user's home",
    ({ user }) => `echo evil >> ${user}/.bashrc; echo evil > ${user}/evil.txt; mkdir ${user}/.config`,
  ],
  ["folders of the machine", () => "echo evil > /etc/evil; echo evil > /usr/evil; echo evil > /var/evil"],
  [
    "the token and the socket of the daemon",
    ({ home }) => `cat ${home}/token ${home}/ao.sock; ls ${home}/sessions/*/runs/../../..`,
  ],
  [
    "a link that the daemon may follow",
    ({ home }) => `ln -sf ${home}/token token.txt; ln -sfn ${home} folder; git add -A`,
  ],
  [
    "processes outside",
    ({ daemonPid }) =>
      `kill -USR1 ${daemonPid}; kill -9 ${daemonPid}; cat /proc/${daemonPid}/environ; ls /proc/${daemonPid}/root`,
  ],
  [
    "more rights in a new namespace",
    ({ user }) =>
      `unshare -Urm sh -c 'mount -o remount,rw /; mount -o remount,bind,rw ${user}; echo evil > ${user}/evil.txt'`,
  ],
  ["mounts", ({ user }) => `mount -o remount,rw /; umount ${user}; mount --bind / ${user}`],
  ["switches of the kernel", () => "echo '|/tmp/evil' > /proc/sys/kernel/core_pattern; echo b > /proc/sysrq-trigger"],
  ["devices", () => "mknod disk b 8 0; mknod mem c 1 1; cat mem disk; ls /dev/sd* /dev/nvme* /dev/mem"],
  [
    "a process that stays",
    ({ user }) => `(setsid sh -c 'while :; do echo evil > ${user}/evil.txt; sleep 0.2; done' >/dev/null 2>&1 &)`,
  ],
];

/** Git starts the program that these settings name, if it reads them. */
const NAMES =
  "core.fsmonitor core.sshCommand core.pager filter.x.clean filter.x.smudge diff.x.textconv diff.x.command merge.x.driver diff.external";
const EVIL_FILE = `for name in ${NAMES}; do git config -f ev $name "$PWD/evil.sh"; done; git config -f ev core.hooksPath $PWD`;

function evilSettings(command: string): string {
  return `${EVIL_FILE}; for name in ${NAMES}; do ${command} $name "$PWD/evil.sh"; done`;
}

/** Where one of git's files may be: in the shared folder, in the session's own, and in a clone. */
function places(repo: string, name: string): string {
  return `${repo}/.git/${name} $(git rev-parse --git-dir)/${name} .git/${name} $(git rev-parse --git-dir)/config.worktree`.replace(
    name === "config" ? "" : " $(git rev-parse --git-dir)/config.worktree",
    "",
  );
}
