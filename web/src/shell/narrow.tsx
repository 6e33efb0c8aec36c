import "./narrow.css";

/** Only styles: the bar of a window without room for words. They are no part of the first load of a wide one. */
export function Narrow() {
  return null;
}
