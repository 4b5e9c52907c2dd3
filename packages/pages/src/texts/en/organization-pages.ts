export const organization_pages = {} as const
