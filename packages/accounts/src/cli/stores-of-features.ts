import type { Feature } from '../features/feature.js'
import type { AccountsOptions } from '../index.js'
import type { OperatedStore } from '../seams/operated-store.js'

/** The stores of the app's features, with their names. Features provide more than the type of the option says. */
export const storesOfFeatures = ({ features = [] }: Partial<AccountsOptions>): [string, OperatedStore][] =>
  (features as readonly Feature[]).flatMap(({ stores = {} }) => Object.entries(stores))
