import { expect, it } from 'vitest'
import type { Release } from '../../../../adapters/helm/release.ts'
import type { KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import type { ReleaseHistory } from '../../releases/releases.ts'
import { removeLastingTokens } from './lasting-secrets.ts'

const type = 'kubernetes.io/service-account-token'
const secret = (name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'team', ...more },
})
const stored = secret('sh.helm.release.v1.web.v1', { labels: { owner: 'helm', name: 'web' } })
const release = {
  manifest: 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: of-the-chart\n',
  hooks: [{ name: 'of-a-hook', kind: 'Secret', events: [], manifest: '' }],
} as Partial<Release> as Release

async function leftOf(history: Partial<ReleaseHistory>): Promise<string[]> {
  const there = new Set(['of-the-chart', 'of-a-hook', 'of-somebody'])
  const connection = {
    get: async () => undefined,
    list: async (_: string, { fieldSelector }: { fieldSelector?: string }) =>
      fieldSelector ? [...[...there].map((name) => ({ ...secret(name), type })), secret('opaque')] : [stored],
    async remove(_: string, __: string | undefined, name: string) {
      there.delete(name)
      return undefined
    },
  }
  const all = { revisions: [], unreadable: [], aside: [], ...history }
  await removeLastingTokens(connection as never, { history: async () => all }, 'team')
  return [...there]
}

it('keeps what a release or its hook brings, and removes the others', async () => {
  expect(await leftOf({ revisions: [release] })).toEqual(['of-the-chart', 'of-a-hook'])
})

it('keeps all while a release cannot be read', async () => {
  expect(await leftOf({ unreadable: [stored] })).toHaveLength(3)
})
