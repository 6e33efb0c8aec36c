import { HelpDialog } from "./help-dialog.tsx";
import { Palette } from "./palette/palette.tsx";

/** The kinds of overlays; `actions` is the palette limited to the actions available here. */
export type OverlayKind = "help" | "palette" | "actions";

interface Props {
  readonly kind: OverlayKind;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

export function Overlay({ kind, onClose, onHelp }: Props) {
  if (kind === "help") return <HelpDialog onClose={onClose} />;
  return <Palette typed={kind === "actions" ? ">" : ""} onClose={onClose} onHelp={onHelp} />;
}
