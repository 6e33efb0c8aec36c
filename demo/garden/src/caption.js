/** The words below the picture. */
export const CAPTION = "a patch of grass";
