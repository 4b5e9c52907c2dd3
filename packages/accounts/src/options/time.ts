/** In milliseconds. */
export const second = 1000
export const minute: number = 60 * second
export const hour: number = 60 * minute
export const day: number = 24 * hour
