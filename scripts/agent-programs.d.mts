/** Package names with their versions, by the folder of the program. */
type Programs = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const PROGRAMS: Programs;
export const NEWEST: Programs;
