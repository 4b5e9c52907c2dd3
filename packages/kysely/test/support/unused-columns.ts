/** Columns of earlier versions, which `migrate` leaves to their processes. */
export const unusedColumns = ['confirmed_generation', 'retired_by']
