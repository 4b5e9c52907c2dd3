export const variants = [
  { variant: 'user', create: 'user-list' },
  { variant: 'signup', create: 'signup' },
] as const
