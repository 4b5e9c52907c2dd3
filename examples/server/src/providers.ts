import { github, google, linkedin, microsoft, type Provider, providers } from '@fastify-accounts/providers'
import type { AccountsFeature } from 'fastify-accounts'
import type { Settings } from './config.js'
import { type DemoProvider, startDemoProvider } from './demo-provider.js'

/** The providers that users can log in with. */
export interface OpenProviders {
  /** Empty without providers. */
  features: AccountsFeature[]
  close(): Promise<void>
}

const presets = { google, microsoft, github, linkedin }

export async function openProviders({
  demoIssuer,
  baseUrl,
  providerClients,
}: Pick<Settings, 'demoIssuer' | 'baseUrl' | 'providerClients'>): Promise<OpenProviders> {
  const demo: DemoProvider | null = demoIssuer === null ? null : await startDemoProvider(demoIssuer, baseUrl)
  const registered: Provider[] = providerClients.map(({ name, ...client }) => presets[name](client))
  if (demo !== null) registered.push(demo.provider)
  return {
    features: registered.length === 0 ? [] : [providers(registered)],
    close: async () => demo?.close(),
  }
}
