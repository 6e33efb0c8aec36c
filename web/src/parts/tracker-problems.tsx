import { Untrusted } from "./untrusted.tsx";

/** The tracker's records that ao could not parse; their text may quote the tracker. */
export function TrackerProblems({ problems = [] }: { readonly problems?: readonly string[] | undefined }) {
  return problems.map((problem) => (
    <p key={problem} className="small you">
      <Untrusted text={problem} />
    </p>
  ));
}
