export const sign_up_pages = {} as const
