/** The style of the pages; they have no script. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #f6f7f9; --card: #fff; --text: #1c2330; --quiet: #5b6472; --line: #dfe3e9; --link: #1654b8;
  --good: #14692f; --good-bg: #dcf4e3; --busy: #1654b8; --busy-bg: #e0ebfc; --bad: #a01b24; --bad-bg: #fbe1e2;
  --ask: #7a4b00; --ask-bg: #fdeecb; --calm: #454d59; --calm-bg: #e8ebef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12151b; --card: #1a1f28; --text: #e7eaf0; --quiet: #9da7b5; --line: #2d3440; --link: #8ab8ff;
    --good: #8ae0a6; --good-bg: #123a20; --busy: #9cc3ff; --busy-bg: #14315e; --bad: #ffa8ad; --bad-bg: #551a1f;
    --ask: #ffd68a; --ask-bg: #4a3408; --calm: #c4cbd6; --calm-bg: #2b323d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
header { padding: .75rem 1rem; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { font-weight: 700; font-size: 1.25rem; text-decoration: none; color: var(--text); }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 1.5rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
p, ul, ol, dl { margin: .35rem 0; }
a { color: var(--link); }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--busy); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
pre { background: var(--bg); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; overflow: auto; max-height: 24rem; }
.card, section.notice, main > section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 1rem; }
.card h2, section.notice h2, main > section h2 { margin-top: 0; }
.notice { border-left: .35rem solid var(--ask); }
p.notice { padding-left: .75rem; }
.quiet { color: var(--quiet); font-size: .9em; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.pull, .thread, .review { border-left: 3px solid var(--line); padding-left: .75rem; margin: .75rem 0; }
.badge { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; font-weight: 600; white-space: nowrap; vertical-align: middle; }
.good { color: var(--good); background: var(--good-bg); }
.busy { color: var(--busy); background: var(--busy-bg); }
.bad { color: var(--bad); background: var(--bad-bg); }
.ask { color: var(--ask); background: var(--ask-bg); }
.calm { color: var(--calm); background: var(--calm-bg); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .95em; }
caption { text-align: left; font-weight: 600; font-size: .95rem; padding-bottom: .25rem; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: top; }
thead th { color: var(--quiet); font-size: .85em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.timeline { list-style: none; padding: 0; font-size: .9em; }
.timeline li { display: flex; gap: .75rem; padding: .1rem 0; overflow-wrap: anywhere; }
.timeline time { color: var(--quiet); font-variant-numeric: tabular-nums; flex: none; }
.timeline span { min-width: 0; }
.hidden, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`.trimStart();
