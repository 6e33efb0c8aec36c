import "./field.css";
import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (id: string) => ReactNode;
}

/** A label above a control, and a hint below. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {children(id)}
      {hint === undefined ? null : <p className="field-label">{hint}</p>}
    </div>
  );
}

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "children"> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

export function Select({ options, onChoose, ...rest }: SelectProps) {
  return (
    <select className="input" onChange={({ target }) => onChoose(target.value)} {...rest}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
