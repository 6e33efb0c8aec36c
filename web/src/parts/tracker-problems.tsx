import { Untrusted } from "./untrusted.tsx";

/** Records that the tracker gave and ao could not read; their text may quote the tracker. */
export function TrackerProblems({ problems = [] }: { readonly problems?: readonly string[] | undefined }) {
  return problems.map((problem) => (
    <p key={problem} className="small you">
      <Untrusted text={problem} />
    </p>
  ));
}
