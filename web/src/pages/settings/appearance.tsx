import { useState } from "react";
import { setSingleKeys, singleKeysAreOn } from "../../keys/use-shortcuts.ts";
import { chooseDensity, readDensity } from "../../lib/density-choice.ts";
import { chooseTheme, readTheme } from "../../lib/theme.ts";
import { Segments } from "../../parts/segments.tsx";
import { Setting } from "./setting.tsx";

const THEMES = [
  { value: "system", label: "System" },
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
] as const;
const DENSITIES = [
  { value: "auto", label: "Auto" },
  { value: "roomy", label: "Roomy" },
  { value: "normal", label: "Normal" },
  { value: "dense", label: "Dense" },
] as const;
const ON_OFF = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

/** The dashboard's appearance and behavior in this browser. */
export function Appearance() {
  const [theme, setTheme] = useState(readTheme);
  const [density, setDensity] = useState(readDensity);
  const [keys, setKeys] = useState(() => (singleKeysAreOn() ? "on" : "off"));
  return (
    <>
      <Setting name="Theme" about="Kept in this browser">
        <Segments
          label="Theme"
          options={THEMES}
          value={theme}
          onChange={(value) => {
            chooseTheme(value);
            setTheme(value);
          }}
        />
      </Setting>
      <Setting name="Fleet density" about="Auto: the more sessions, the smaller the rows">
        <Segments
          label="Fleet density"
          options={DENSITIES}
          value={density}
          onChange={(value) => {
            chooseDensity(value);
            setDensity(value);
          }}
        />
      </Setting>
      <Setting name="Single-key shortcuts" about="Keys such as j, n and g f; Ctrl K always works">
        <Segments
          label="Single-key shortcuts"
          options={ON_OFF}
          value={keys === "on" ? "on" : "off"}
          onChange={(value) => {
            setSingleKeys(value === "on");
            setKeys(value);
          }}
        />
      </Setting>
    </>
  );
}
