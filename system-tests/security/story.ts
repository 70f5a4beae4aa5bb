import { gzipSync } from 'node:zlib'
import type { CatalogChild } from '@quayside/contract/catalog'
import type { Action } from '@quayside/contract/deployment'
import type { App, Space } from '@quayside/contract/portal-api'
import type { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { pack } from 'tar-stream'

/** Calls of the wizards, as one person. */
export function storyOf(world: World, token: string) {
  async function call<T>(path: string, init: { method?: string; body?: unknown } = {}) {
    const answer = await world.api(path, { token, ...init })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  async function good<T>(path: string, init: Parameters<typeof call>[1] = {}): Promise<T> {
    const { status, body } = await call<T>(path, init)
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  return {
    userId: decodeJwt(token).sub ?? '',
    token,
    call,
    good,

    async upload(chart: Uint8Array): Promise<CatalogChild> {
      const form = new FormData()
      form.set('file', new Blob([Buffer.from(chart)]), 'chart.tgz')
      const { itemId, versionId } = await good<{ itemId: string; versionId: string }>(
        '/catalog/v1/upload/uploadasync',
        {
          body: form,
        },
      )
      return {
        item: await good(`/catalog/v2/items/${itemId}`),
        version: await good(`/catalog/v2/versions/${versionId}`),
      }
    },

    async assign(space: Space, catalogChild: CatalogChild): Promise<App> {
      const tenant = await good<{ id: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
      const body = { tenantId: tenant.id, spaceId: space.id, clusterId: space.clusters[0]?.id, catalogChild }
      return good('/deployment/v1/helm/deployment/actions.Assign', { body })
    },

    releaseName: async (app: App, name: string): Promise<string> =>
      (await good<{ name: string }>(`/deployment/v1/helm/deployment/releasename/${app.id}/${name}`)).name,

    /** Waits for the end of an action, as a script does. */
    ended: (id: string): Promise<Action> => good(`/deployment/v1/actions/${id}?wait=60`),
  }
}
export type Story = ReturnType<typeof storyOf>

/** A chart package of these files. */
export async function packFiles(name: string, files: Record<string, string>): Promise<Uint8Array> {
  const archive = pack()
  for (const [file, text] of Object.entries(files)) archive.entry({ name: `${name}/${file}` }, text)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}
