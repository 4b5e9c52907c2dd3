import type { Provider } from '../provider.js'
import { fail } from '../settings.js'

/** Options of every preset. */
export interface PresetOptions
  extends Pick<Provider, 'clientId' | 'parameters' | 'enough' | 'allow' | 'appAudiences' | 'fields'> {
  /** Its name in paths. Default: that of the preset. */
  name?: string | undefined
  /** The display name. Default: the provider's name. */
  label?: string | undefined
}

/** Options of presets whose provider issues a client secret. */
export interface SecretPresetOptions extends PresetOptions {
  clientSecret: NonNullable<Provider['clientSecret']>
}

const common = ['name', 'label', 'clientId', 'parameters', 'enough', 'allow', 'appAudiences', 'fields']

/**
 * A provider, built from the preset's data and the host's options.
 * @param own names of options that only this preset accepts
 * @throws Error with one line that names the option
 */
export function preset(
  provider: Omit<Provider, 'clientId'> & { name: string },
  options: PresetOptions & Partial<SecretPresetOptions>,
  own: readonly string[] = [],
): Provider {
  const { name = provider.name, clientSecret = provider.clientSecret } = options
  const taken = [...common, ...(provider.clientSecret === undefined ? ['clientSecret'] : []), ...own]
  const strange = Object.keys(options).find((key) => !taken.includes(key))
  if (strange !== undefined)
    fail(`${name}.${strange}`, `does not exist; the options are: ${taken.join(', ')}`)
  if (clientSecret === undefined) fail(`${name}.clientSecret`, 'is missing')
  const entries = Object.entries(options).filter(([key, value]) => !own.includes(key) && value !== undefined)
  const parameters = { ...options.parameters, ...provider.parameters }
  return { ...provider, ...(Object.fromEntries(entries) as unknown as SecretPresetOptions), name, parameters }
}
