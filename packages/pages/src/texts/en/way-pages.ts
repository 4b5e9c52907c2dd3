export const way_pages = {} as const
