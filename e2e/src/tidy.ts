import type { App } from '@quayside/contract/apps/endpoints'
import type { Leftover } from '@quayside/contract/clusters/leftovers'
import type { ListReply } from '@quayside/contract/http/paging'
import { type Contents, contentsOf } from '@quayside/embedded/story/contents'
import type { World } from '@quayside/embedded/world'
import type { Script } from './script.ts'

export type Tidy = ReturnType<typeof tidyOf>

/**
 * Keeps the World of a worker as its first start left it, so that no story depends on those that ran before it. The
 * doors below remove what a story has made; what they leave, and what it has changed, is for the story to undo.
 */
export function tidyOf(world: World, script: Script, start: Contents) {
  /** The file whose stories run, and what it has made for all of them. */
  let file = ''
  let shared: string[] = []

  const made = (contents: Contents) => [...contents.keys()].filter((place) => !start.has(place))

  async function putBack(): Promise<string[]> {
    shared = []
    for (const { table, remove } of doorsOf(world, script)) {
      const now = await contentsOf(world)
      const places = made(now).filter((place) => place.startsWith(`${table} `))
      await Promise.all(places.map((place) => remove(JSON.parse(now.get(place) ?? ''), now)))
    }
    return differences(start, await contentsOf(world))
  }

  return {
    /** Before a story: takes what is there by now for made by the `beforeAll` of its file. */
    async begin(of: string): Promise<void> {
      if (of === file) return
      const now = made(await contentsOf(world))
      const left = shared.filter((place) => now.includes(place))
      if (left.length > 0)
        throw new Error(`${file} made this for its stories and has not put it back after all: ${left.join(', ')}`)
      file = of
      shared = now
    },
    /** After a story: gives a line for each thing that is not as at the start; nothing while its file shares things. */
    async end(): Promise<string[]> {
      return shared.length > 0 ? [] : putBack()
    },
    /** The same after all stories of a file that shares things among them. */
    putBack,
  }
}

function differences(start: Contents, now: Contents): string[] {
  const [left, gone] = [new Map(now), new Map(start)]
  const changed: string[] = []
  for (const [place, was] of start) {
    const is = now.get(place)
    if (is === undefined) continue
    if (is !== was) changed.push(`changed: ${place} ${begin(was)} is now ${begin(is)}`)
    left.delete(place)
    gone.delete(place)
  }
  const told = (what: string, things: Contents) => [...things].map(([place, row]) => `${what}: ${place} ${begin(row)}`)
  return [...told('left behind', left), ...told('gone', gone), ...changed]
}

/** Rows can be long as packages. */
const begin = (row: string) => row.slice(0, 300)

interface Door {
  table: string
  remove(row: { id: string; realm_id?: string }, now: Contents): Promise<unknown>
}

/** In this order: a space is deleted without apps, a catalog item when nothing runs from it, an account with its client. */
function doorsOf(world: World, script: Script): Door[] {
  const inDirectory =
    (what: string): Door['remove'] =>
    async ({ id, realm_id: realmId }, now) => {
      const realm: { name: string } = JSON.parse(now.get(`realm ${realmId}`) ?? '')
      await (await world.directory(realm.name)).remove(`/${what}/${id}`)
    }
  return [
    { table: 'apps', remove: ({ id }) => removeApp(world, script, id) },
    {
      table: 'spaces',
      async remove({ id }) {
        const { actionId } = await script.call<{ actionId: string }>(`/portal-api/v3/spaces/${id}`, undefined, 'DELETE')
        return script.ended(actionId)
      },
    },
    { table: 'catalog_items', remove: ({ id }) => script.call(`/catalog/v2/items/${id}`, undefined, 'DELETE') },
    { table: 'client', remove: inDirectory('clients') },
    { table: 'user_account', remove: inDirectory('users') },
  ]
}

/** Deletes an app with all that it would leave behind, once nothing runs for it; a wizard that was left may have done it. */
async function removeApp(world: World, script: Script, id: string): Promise<void> {
  const { data: actions } = await script.call<ListReply<{ id: string }>>(`/deployment/v1/actions?filters.appId=${id}`)
  for (const action of actions) await script.ended(action.id)
  const row = (await contentsOf(world)).get(`apps ${id}`)
  if (row === undefined) return
  const app = await script.call<App>(`/portal-api/v2/apps/${id}`)
  const helm = '/deployment/v1/helm/deployment'
  const { data } = await script.call<{ data: Leftover[] }>(`${helm}/leftovers/${id}`)
  const leftovers = data.filter(({ refusal }) => refusal === null).map(({ id }) => ({ id, choice: 'remove' }))
  const body = { app: { id, releaseName: app.releaseName }, leftovers }
  const { actionId } = await script.call<{ actionId: string }>(`${helm}/actions.Delete`, body)
  const { state, result } = await script.ended(actionId)
  if (state !== 'Success') throw new Error(`${app.displayName} could not be deleted: ${JSON.stringify(result)}`)
}
