/** A glob that `ao` does not understand, in a sentence. */
export class GlobFault extends Error {}
