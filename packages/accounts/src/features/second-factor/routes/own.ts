/** Actions reserved to the owner, including users who must enroll. */
export const own = { access: 'owner', isOpenToEnroll: true, budget: null } as const
