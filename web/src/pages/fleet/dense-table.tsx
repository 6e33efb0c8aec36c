import "./dense.css";
import { FleetTable, type TableProps } from "./fleet-table.tsx";

/** The table from 36 sessions on: lower rows, one line of vitals, and the wall. */
export function DenseTable(props: TableProps) {
  return <FleetTable {...props} />;
}
