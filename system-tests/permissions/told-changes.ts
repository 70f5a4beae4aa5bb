import type { TopicName } from '@quayside/contract/capabilities'
import type { Story } from '@quayside/embedded/story/story'

/** A change that whoever watches a topic hears of, although another change of the same thing was told as well. */
interface ToldChange {
  what: string
  topic: TopicName
  /** Makes the thing that is changed. */
  begin(who: Story): Promise<string>
  change(who: Story, id: string): Promise<unknown>
}

let made = 0
const next = (what: string) => {
  made += 1
  return `${what} ${made}, heard`
}
const idOf = ({ id }: { id: string }) => id

const webhook = (name: string) => ({
  ...{ name, url: 'https://hooks.invalid', events: ['app-health'], enabled: false },
})
const addWebhook = async (who: Story) => idOf(await who.good('/im/v1/webhooks', { body: webhook(next('Pager')) }))

const source = (name: string) => ({ name, kind: 'helm', address: 'https://charts.invalid', everyHours: null })
const addSource = async (who: Story) => idOf(await who.good('/catalog/v1/sources', { body: source(next('Charts')) }))

const boards = '/dashboard/v3/dashboards'
const addBoard = async (who: Story) => idOf(await who.good(boards, { body: { displayName: next('Board') } }))
const spec = { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [] }

const links = '/portal-api/v2/applinks'
const link = () => ({ name: next('Link'), url: 'https://wiki.example.org' })
const addLink = async (who: Story) => idOf(await who.good(links, { body: link() }))

const spaces = '/portal-api/v3/spaces'
const addSpace = async (who: Story) =>
  idOf(await who.good(spaces, { body: { displayName: next('Space'), clusterIds: [] } }))

const menu = '/portal-api/v0/menu/groups'
const addGroup = async (who: Story) => idOf(await who.good(menu, { body: { title: next('Group') } }))
const entry = (name: string) => ({ name, type: 'externalLink', link: `https://${name}.example.org` })
const addEntries = async (who: Story) => {
  const group = await addGroup(who)
  for (const name of ['first', 'second']) await who.good(`${menu}/${group}/entries/`, { body: entry(name) })
  return group
}
const entriesOf = async (who: Story, group: string) => {
  const { data } = await who.good<{ data: { id: string; entries: { id: string }[] }[] }>('/portal-api/v0/menu')
  return data.find(({ id }) => id === group)?.entries.map(idOf) ?? []
}

const nothing = async () => ''

/** Changes besides those by which each topic is tried with every listener. */
export const toldChanges: readonly ToldChange[] = [
  {
    ...{ what: 'a webhook is changed', topic: 'webhooks', begin: addWebhook },
    change: (who, id) => who.good(`/im/v1/webhooks/${id}`, { method: 'PUT', body: webhook(next('Other')) }),
  },
  {
    ...{ what: 'a webhook is tested', topic: 'webhooks', begin: addWebhook },
    change: (who, id) => who.good(`/im/v1/webhooks/${id}/test`, { method: 'POST' }),
  },
  {
    ...{ what: 'a webhook is deleted', topic: 'webhooks', begin: addWebhook },
    change: (who, id) => who.good(`/im/v1/webhooks/${id}`, { method: 'DELETE' }),
  },
  {
    ...{ what: 'a source is changed', topic: 'catalog', begin: addSource },
    change: (who, id) => who.good(`/catalog/v1/sources/${id}`, { method: 'PUT', body: source(next('Other')) }),
  },
  {
    ...{ what: 'a source is deleted', topic: 'catalog', begin: addSource },
    change: (who, id) => who.good(`/catalog/v1/sources/${id}`, { method: 'DELETE' }),
  },
  {
    ...{ what: 'a dashboard is saved', topic: 'dashboards', begin: addBoard },
    change: (who, id) =>
      who.good(`${boards}/${id}`, { method: 'PUT', body: { displayName: 'Saved', spec, baseRevision: 1 } }),
  },
  {
    ...{ what: 'a dashboard is deleted', topic: 'dashboards', begin: addBoard },
    change: (who, id) => who.good(`${boards}/${id}`, { method: 'DELETE' }),
  },
  {
    ...{ what: 'a dashboard is restored', topic: 'dashboards' },
    async begin(who) {
      const id = await addBoard(who)
      await who.good(`${boards}/${id}`, { method: 'DELETE' })
      return id
    },
    change: (who, id) => who.good(`${boards}/${id}/restore`, { method: 'POST' }),
  },
  {
    ...{ what: 'a dashboard is shared', topic: 'dashboards', begin: addBoard },
    change: (who, id) =>
      who.good(`${boards}/${id}/permissions`, {
        body: { principal: { type: 'everyone' }, scopes: ['dashboard.view'] },
      }),
  },
  {
    ...{ what: 'a dashboard is starred', topic: 'ownDashboards', begin: addBoard },
    change: (who, id) => who.good(`${boards}/${id}/star`, { method: 'PUT', body: { starred: true } }),
  },
  {
    ...{ what: 'an app link is changed', topic: 'app-links', begin: addLink },
    change: (who, id) => who.good(`${links}/${id}`, { method: 'PUT', body: link() }),
  },
  {
    ...{ what: 'an app link is deleted', topic: 'app-links', begin: addLink },
    change: (who, id) => who.good(`${links}/${id}`, { method: 'DELETE' }),
  },
  {
    ...{ what: 'a space is frozen', topic: 'spaces', begin: addSpace },
    change: (who, id) => who.good(`${spaces}/${id}/freeze`, { method: 'PUT', body: { reason: 'Holidays' } }),
  },
  {
    ...{ what: 'a freeze is ended', topic: 'spaces' },
    async begin(who) {
      const id = await addSpace(who)
      await who.good(`${spaces}/${id}/freeze`, { method: 'PUT', body: { reason: 'Holidays' } })
      return id
    },
    change: (who, id) => who.good(`${spaces}/${id}/freeze`, { method: 'DELETE' }),
  },
  {
    ...{ what: 'a group of the sidebar is renamed', topic: 'menu', begin: addGroup },
    change: (who, id) => who.good(`${menu}/${id}`, { method: 'PUT', body: { title: 'Renamed' } }),
  },
  {
    ...{ what: 'something is pinned', topic: 'menu', begin: addGroup },
    change: (who, id) => who.good(`${menu}/${id}/entries/`, { body: entry('pinned') }),
  },
  {
    ...{ what: 'pins are put in another order', topic: 'menu', begin: addEntries },
    async change(who, id) {
      const ids = (await entriesOf(who, id)).toReversed()
      return who.good(`${menu}/${id}/entries/`, { method: 'PUT', body: { ids } })
    },
  },
  {
    ...{ what: 'a pin is taken out', topic: 'menu', begin: addEntries },
    async change(who, id) {
      const [first] = await entriesOf(who, id)
      return who.good(`${menu}/${id}/entries/${first}`, { method: 'DELETE' })
    },
  },
  {
    ...{ what: 'somebody chooses what to be told of', topic: 'inbox', begin: nothing },
    change: (who) =>
      who.good('/im/v1/subscriptions', {
        method: 'PUT',
        body: { 'action-failed': true, 'app-unhealthy': true, 'app-healthy': false, 'token-expiring': true },
      }),
  },
]
