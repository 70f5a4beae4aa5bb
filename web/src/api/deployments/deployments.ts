import type { App } from '@quayside/contract/apps/endpoints'
import { type Accepted, deployments, type PreparedVersion } from '@quayside/contract/deployments/endpoints'
import { upgrading } from '@quayside/contract/deployments/upgrade'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { untilAnswered } from '../../lib/api/until-answered.ts'
import { call, type InputOf, type ReplyOf } from '../client.ts'

const commands = {
  Assign: deployments.assign,
  Prepare: deployments.prepare,
  Deploy: deployments.deploy,
  Upgrade: deployments.upgrade,
  Rollback: deployments.rollback,
  Delete: deployments.remove,
  Repair: deployments.repair,
} as const
type Commands = typeof commands

export type CommandBody<K extends keyof Commands> = InputOf<Commands[K]>['body']

/** Posts a command, until it is answered; the idempotency key makes sure that a lost answer cannot start it twice. */
export function postAction(api: Api, kind: 'Assign', body: CommandBody<'Assign'>, key: string): Promise<App>
export function postAction<K extends Exclude<keyof Commands, 'Assign'>>(
  api: Api,
  kind: K,
  body: CommandBody<K>,
  key: string,
): Promise<Accepted>
export function postAction(api: Api, kind: keyof Commands, body: unknown, key: string): Promise<unknown> {
  const input = { body, headers: { 'idempotency-key': key } } as InputOf<typeof deployments.deploy>
  return untilAnswered(() => call(api, commands[kind] as typeof deployments.deploy, input))
}

export type CatalogApp = ReplyOf<typeof deployments.catalogApp>

/** A version with its catalog item, as the wizards carry them about. */
export const catalogAppQuery = (api: Api, versionId: string) =>
  queryOptions({
    queryKey: ['catalogapp', versionId],
    queryFn: () => fetchCatalogApp(api, versionId),
    retry: false,
  })

export const fetchCatalogApp = (api: Api, versionId: string) =>
  call(api, deployments.catalogApp, { params: { id: versionId } })

/** The objects that deleting an app would leave in the cluster. */
export const leftoversQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: ['leftovers', appId],
    queryFn: async () => (await call(api, deployments.leftovers, { params: { id: appId } })).data,
    // The cluster is asked when the question is, not again behind somebody's choices.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

export async function releaseNameOf(api: Api, appId: string, appName: string): Promise<string> {
  return (await call(api, deployments.releaseName, { params: { appId, name: appName } })).name
}

/** Values, by `prepare`, and release name of an installation that was left in the middle; read once. */
export const resumedQuery = (
  api: Api,
  { id, name }: Pick<App, 'id' | 'name'>,
  versionId: string,
  prepare: () => Promise<PreparedVersion>,
) =>
  queryOptions({
    queryKey: ['resumed', id, versionId],
    queryFn: async () => ({ prepared: await prepare(), releaseName: await releaseNameOf(api, id, name) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

type ValidateInput = InputOf<typeof deployments.validate>['body']

export const validateValues = (api: Api, versionId: string, body: ValidateInput, signal: AbortSignal) =>
  call(api, deployments.validate, { params: { id: versionId }, body, signal })

type PreviewInput = InputOf<typeof upgrading.preview>['body']

/** The changes an upgrade would make; without `yaml`, with the values the upgrade would start from. */
export const previewQuery = (api: Api, versionId: string, body: PreviewInput) =>
  queryOptions({
    queryKey: ['upgrade', 'preview', versionId, body],
    queryFn: () => call(api, upgrading.preview, { params: { id: versionId }, body }),
    // The deployed revision may change in the meantime, so a cached preview is never reused.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
