import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeRelease, ReleaseUnreadableError, withStatus } from './release.ts'

const stored = {
  name: 'shop',
  namespace: 'team',
  version: 2,
  info: {
    status: 'pending-upgrade',
    description: 'Preparing upgrade',
    notes: 'hello',
    last_deployed: '2026-01-02T03:04:05Z',
  },
  chart: { metadata: { name: 'web', version: '1.2.3', appVersion: '9' }, files: [{ name: 'x', data: 'eA==' }] },
  config: { replicas: 3, nested: { a: [1, 2] } },
  manifest: '---\nkind: ConfigMap\n',
  hooks: [{ name: 'job', kind: 'Job', manifest: 'kind: Job', events: ['pre-install'], weight: 5 }],
  apply_method: 'ssa',
}

function secretOf(content: unknown, pack = true) {
  const json = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const inner = (pack ? gzipSync(json) : json).toString('base64')
  return {
    metadata: { name: 'sh.helm.release.v1.shop.v2', labels: { owner: 'helm', portalAction: 'a1' } },
    data: { release: Buffer.from(inner).toString('base64') },
  }
}

describe('a release in its Secret', () => {
  it('is read, packed or not', async () => {
    const release = await decodeRelease(secretOf(stored))
    expect(release).toMatchObject({
      name: 'shop',
      revision: 2,
      status: 'pending-upgrade',
      chart: { name: 'web', version: '1.2.3', appVersion: '9' },
      notes: 'hello',
      labels: { portalAction: 'a1' },
    })
    expect(release.hooks).toEqual([{ name: 'job', kind: 'Job', manifest: 'kind: Job', events: ['pre-install'] }])
    expect((await decodeRelease(secretOf(stored, false))).revision).toBe(2)
  })

  it('lives without values, hooks and chart details', async () => {
    const release = await decodeRelease(secretOf({ ...stored, config: null, hooks: null, chart: null }))
    expect(release).toMatchObject({ values: {}, hooks: [], chart: { name: '', appVersion: null } })
  })

  it('gets another status and keeps all the rest', async () => {
    const secret = secretOf(stored)
    const data = await withStatus(secret, 'failed', 'interrupted')
    const changed = await decodeRelease({ ...secret, data })
    expect(changed).toMatchObject({ status: 'failed', description: 'interrupted', notes: 'hello', revision: 2 })
    expect(changed.manifest).toBe(stored.manifest)
  })

  it.each([
    ['nothing', { metadata: { name: 'x' } }],
    ['no base64', { metadata: { name: 'x' }, data: { release: '!!' } }],
    ['no JSON', secretOf('{')],
    ['a list', secretOf([])],
    ['no release', secretOf({ name: 1 })],
    ['a bomb', secretOf(`"${' '.repeat(60 * 1024 * 1024)}"`)],
  ])('that holds %s is refused', async (_, secret) => {
    await expect(decodeRelease(secret)).rejects.toThrow(ReleaseUnreadableError)
  })
})
