export const link_pages = {} as const
