import type { CatalogChild, CatalogVersion } from '@quayside/contract/catalog'
import type { Accepted, Action, PreparedVersion, Revision, ValidationResult } from '@quayside/contract/deployment'
import type { Leftover } from '@quayside/contract/leftovers'
import type { ListReply } from '@quayside/contract/paging'
import type { App, Space } from '@quayside/contract/portal-api'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { untilAnswered } from '../../lib/api/until-answered.ts'
import { texts } from './texts.ts'

const actions = '/deployment/v1/helm/deployment'

export interface CatalogApp {
  id: string
  catalogItemId: string
  child: CatalogChild
}

export const catalogAppQuery = (api: Api, versionId: string) =>
  queryOptions({
    queryKey: ['catalogapp', versionId],
    queryFn: () => api.get<CatalogApp>(`/deployment/v1/catalogapp/${versionId}`),
    retry: false,
  })

export const versionsQuery = (api: Api, itemId: string) =>
  queryOptions({
    queryKey: ['catalog', 'versions', itemId],
    queryFn: async () =>
      (await api.get<ListReply<CatalogVersion>>(`/catalog/v2/versions/bycatalogitem/${itemId}`)).data,
  })

export const spaceQuery = (api: Api, spaceId: string) =>
  queryOptions({
    queryKey: ['spaces', spaceId],
    queryFn: () => api.get<Space>(`/portal-api/v3/spaces/${spaceId}`),
  })

/** Spaces as the wizard asks for them (section 7.8). */
export const wizardSpacesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['spaces', 'wizard'],
    queryFn: async () =>
      (
        await api.get<ListReply<Space>>('/portal-api/v2/spaces', {
          query: { search: null, filters: {}, fields: {}, sort: { createdAt: 'ASC' }, page: { skip: 0, limit: 1000 } },
        })
      ).data,
  })

export const appQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: ['apps', appId],
    queryFn: () => api.get<App>(`/portal-api/v2/apps/${appId}`),
    enabled: ({ state }) => !isGone(state.error),
  })

export const actionQuery = (api: Api, actionId: string) =>
  queryOptions({
    queryKey: ['actions', actionId],
    queryFn: () => api.get<Action>(`/deployment/v1/actions/${actionId}`),
  })

export const revisionsQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'revisions'],
    queryFn: async () => (await api.get<{ data: Revision[] }>(`${actions}/revisions/${appId}`)).data,
  })

export const revisionQuery = (api: Api, appId: string, revision: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'revisions', revision],
    queryFn: () =>
      api.get<Revision & { valuesYaml: string; manifest: string }>(`${actions}/revision/${appId}/${revision}`),
  })

/** What deleting an app would leave behind. */
export const leftoversQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: ['leftovers', appId],
    queryFn: async () => (await api.get<{ data: Leftover[] }>(`${actions}/leftovers/${appId}`)).data,
    // The cluster is asked when the question is, not again behind somebody's choices.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** How many people a grant to these groups reaches; who is in several counts once. */
export const peopleQuery = (api: Api, groupIds: readonly string[]) =>
  queryOptions({
    queryKey: ['groups', 'people', ...groupIds.toSorted()],
    queryFn: async () => (await api.post<{ people: number }>('/iam/v2/groups/people', { ids: groupIds })).people,
    enabled: groupIds.length > 0,
  })

/** Posts an action, until it is answered; the idempotency key makes sure that a lost answer cannot start it twice. */
export function postAction<T = Accepted>(api: Api, action: string, body: object, key: string): Promise<T> {
  const headers = { 'idempotency-key': key }
  return untilAnswered(() => api.post<T>(`${actions}/actions.${action}`, body, { headers }))
}

export async function releaseNameOf(api: Api, appId: string, appName: string): Promise<string> {
  const path = `${actions}/releasename/${encodeURIComponent(appId)}/${encodeURIComponent(appName)}`
  return (await api.get<{ name: string }>(path)).name
}

export function validateValues(
  api: Api,
  versionId: string,
  body: object,
  signal: AbortSignal,
): Promise<ValidationResult> {
  return api.put<ValidationResult>(`${actions}/validate/${versionId}`, body, { signal })
}

const prepareSeconds = 60

/** Asks for a version's values and waits for them; the ledger keeps the answer, so a lost socket loses nothing. */
export async function prepareVersion(
  api: Api,
  child: CatalogChild,
  appId: string | undefined,
  socketId: string | undefined,
): Promise<PreparedVersion> {
  const { item, version } = child
  const accepted = await postAction(
    api,
    'Prepare',
    {
      catalogItemId: item.id,
      catalogVersionId: version.id,
      catalogItemType: item.type,
      appKind: item.appKind,
      appType: item.appType,
      appId,
      socketId,
    },
    crypto.randomUUID(),
  )
  const query = { wait: prepareSeconds }
  const action = await untilAnswered(() => api.get<Action>(`/deployment/v1/actions/${accepted.actionId}`, { query }))
  if (action.prepared === null)
    throw new Error(action.result?.summary ?? 'The values of this version could not be prepared.')
  const { values } = action.prepared
  const isBare = values.yaml.trim() === ''
  return isBare
    ? { ...action.prepared, values: { ...values, yaml: texts.infrastructure.defaultYaml } }
    : action.prepared
}
