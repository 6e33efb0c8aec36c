interface Loaded {
  readonly error: Error | null;
  /** Nothing was loaded before the error. */
  readonly isLoadingError: boolean;
}

/** The error to show instead of the page; what is loaded stays if only a refetch failed, as the stream keeps it current. */
export function pageError({ error, isLoadingError }: Loaded): Error | null {
  return isLoadingError ? error : null;
}
