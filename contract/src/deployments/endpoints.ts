import type { FieldConfiguration as FieldNode } from '@quayside/values/form/field-configuration'
import { z } from 'zod'
import { App } from '../apps/endpoints.ts'
import { AppType, CatalogChild, CatalogItemType } from '../catalog/endpoints.ts'
import { Leftover, LeftoverChoice } from '../clusters/leftovers.ts'
import { askingApproval, Outside } from '../clusters/outside.ts'
import { ReleaseLock } from '../clusters/release-lock.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf, mostEventsAtOnce } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'
import { BaseRevision, CostReason, GiveUpEarly, SocketId } from './command-fields.ts'
import { AppMetadata, CatalogChildRef, DeployData, EditableAppData, ReleaseName, Yaml } from './deploy-data.ts'
import { DeployedApp } from './deployed-app.ts'
import { LeftBehind } from './left-behind.ts'
import { LintResultType, ManifestPlace } from './result-place.ts'
import { upgrading, ValuesMerge } from './upgrade.ts'

const endpoint = endpointsOf('deployment')
const base = '/v1/helm/deployment'

export const ActionKind = z.enum([
  'Assign',
  'Prepare',
  'Deploy',
  'Upgrade',
  'Rollback',
  'Delete',
  'Repair',
  'ChangeWorkload',
  'DeleteSpace',
  'DeregisterCluster',
  'LeaveCluster',
])
export type ActionKind = z.infer<typeof ActionKind>
/** Success=0, Failed=1, Timeout=2. */
export const DeployState = { Success: 0, Failed: 1, Timeout: 2 } as const
export type DeployState = (typeof DeployState)[keyof typeof DeployState]
export const ResultLine = z.object({
  message: z.string(),
  isSummary: z.boolean(),
  resultType: LintResultType,
  provider: z.string().optional(),
  /** Where in the values, as a dotted path, in the YAML as a line from 1, and in the manifest. */
  path: z.string().optional(),
  line: z.number().optional(),
  object: ManifestPlace.optional(),
})
export type ResultLine = z.infer<typeof ResultLine>
export const DeployResult = z.object({
  state: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  summary: z.string(),
  lines: z.array(ResultLine),
})
export type DeployResult = z.infer<typeof DeployResult>
export const IamResultType = z.enum(['Success', 'GroupFaild', 'RolesFailed', 'RedirectUrisFailed', 'UnknownError'])
export type IamResultType = z.infer<typeof IamResultType>
export const IamResult = z.object({ msg: z.string(), type: IamResultType })
export type IamResult = z.infer<typeof IamResult>

/** A node of the configuration tree, as the library of values describes it. */
const FieldConfiguration: z.ZodType<FieldNode> = z
  .lazy(() =>
    z.object({
      label: z.string().nullable(),
      name: z.string().nullable(),
      type: z.string(),
      value: z.unknown().optional(),
      objects: z.array(FieldConfiguration),
      collections: z.array(FieldConfiguration),
      comments: z.array(z.string()),
      options: z.array(z.object({ value: z.unknown(), label: z.string() })).optional(),
      validations: z.array(z.object({ name: z.string(), validator: z.unknown(), message: z.string() })).optional(),
      required: z.boolean().optional(),
      defaultValue: z.unknown().optional(),
      map: z
        .object({ template: FieldConfiguration, known: z.array(z.string()), pattern: z.string().optional() })
        .optional(),
      choices: z.array(z.object({ label: z.string(), value: z.unknown() })).optional(),
      choice: z.number().optional(),
    }),
  )
  .meta({ id: 'FieldConfiguration' })

export const AssignCommand = z.object({
  tenantId: Id,
  spaceId: Id,
  clusterId: Id,
  catalogChild: CatalogChildRef,
  editableAppData: EditableAppData.partial().nullish(),
  socketId: SocketId,
})
export const PrepareCommand = z.object({
  catalogItemId: Id,
  catalogVersionId: Id,
  catalogItemType: CatalogItemType,
  appKind: z.string().max(100),
  appType: AppType.nullish(),
  /** With an app that is deployed, its own values are laid over the version's defaults. */
  appId: Id.nullish(),
  socketId: SocketId,
})
export const DeployCommand = z.object({
  appId: Id,
  versionId: Id,
  releaseName: ReleaseName,
  deployData: DeployData,
  giveUpEarly: GiveUpEarly,
  costReason: CostReason,
  socketId: SocketId,
})
export type DeployCommand = z.infer<typeof DeployCommand>
export const UpgradeCommand = DeployCommand.omit({ releaseName: true }).extend({ baseRevision: BaseRevision })
export const RollbackCommand = z.object({
  appId: Id,
  revision: z.number().int().min(1).max(1_000_000),
  baseRevision: BaseRevision,
  giveUpEarly: GiveUpEarly,
  socketId: SocketId,
})
export const DeleteCommand = z.object({
  app: z.object({ id: Id, releaseName: z.string().max(53).nullish() }).loose(),
  leftovers: z.array(LeftoverChoice).max(1000).optional(),
  socketId: SocketId,
})
/** `force`: also when somebody outside of the portal seems to be at work on the release. */
export const RepairCommand = z.object({ appId: Id, force: z.boolean().optional(), socketId: SocketId })

/** The catalog app version as Prepare returns it, in the socket event `Prepare` and as the action's result. */
export const PreparedVersion = z.object({
  clusterId: z.string().nullable(),
  catalogItemId: z.string(),
  catalogVersionId: z.string(),
  values: z.object({
    yaml: z.string(),
    fieldConfig: z.array(FieldConfiguration),
    schema: z.unknown().nullable(),
    /** The version's own values, and those that the app is deployed with. */
    defaults: z.string().optional(),
    deployed: z.string().nullish(),
    /** The installed revision, for the `baseRevision` of an upgrade. */
    revision: z.number().nullish(),
    /** For a version other than the deployed one: how its defaults and the deployed values were merged. */
    merge: ValuesMerge.nullish(),
  }),
})
export type PreparedVersion = z.infer<typeof PreparedVersion>

export const ActionState = z.enum([
  'accepted',
  'preparing',
  'namespace',
  'iam',
  'helm',
  'verifying',
  'Success',
  'Failed',
])
export type ActionState = z.infer<typeof ActionState>

/** A row of the ledger: an action that was accepted, and how it ended. */
export const Action = z.object({
  id: z.string(),
  kind: ActionKind,
  state: ActionState,
  running: z.boolean(),
  /** No Helm was started for it: it can be taken back. With a Helm it can be ended. */
  cancellable: z.boolean(),
  abortable: z.boolean(),
  abortedBy: z.string().nullable(),
  leftBehind: LeftBehind.nullable(),
  appId: z.string().nullable(),
  appName: z.string(),
  releaseName: z.string().nullable(),
  namespace: z.string().nullable(),
  clusterId: z.string().nullable(),
  clusterName: z.string().nullable(),
  spaceId: z.string().nullable(),
  spaceName: z.string().nullable(),
  version: z.string().nullable(),
  startedBy: z.string(),
  costReason: z.string().nullish().describe('why it went beyond the budget of its space'),
  /** Key of the command: a command that is sent again with the same key runs only once. */
  idempotencyKey: z.string().nullable(),
  result: DeployResult.nullable(),
  iamResult: IamResult.nullable(),
  /** Set by a finished Prepare. */
  prepared: PreparedVersion.nullable(),
  acceptedAt: z.string(),
  finishedAt: z.string().nullable(),
  lastSeq: z.number(),
})
export type Action = z.infer<typeof Action>

export const MessageType = z.enum([
  'assign',
  'prepare',
  'ensurenamespace',
  'deploy',
  'upgrade',
  'rollback',
  'delete',
  'iam',
  'helm',
])
export type MessageType = z.infer<typeof MessageType>
export const MessageLevel = z.enum(['debug', 'info', 'error'])
export type MessageLevel = z.infer<typeof MessageLevel>

/** One numbered event of an action: what the socket sends under `event`, kept so that a late reader misses nothing. */
export const ActionEvent = z.object({
  seq: z.number(),
  at: z.string(),
  event: z.enum(['message', 'IAM', 'Prepare', 'Deploy', 'Upgrade', 'Rollback', 'Delete', 'helmresult', 'hookresult']),
  payload: z.unknown(),
})
export type ActionEvent = z.infer<typeof ActionEvent>

export const Revision = z.object({
  revision: z.number(),
  version: z.string(),
  status: z.string(),
  updatedAt: z.string(),
  description: z.string(),
  installed: z.boolean(),
  /** Name of the person who started it in this portal; null when it was made outside of the portal. */
  startedBy: z.string().nullable(),
  /** Set when a Helm outside of the portal holds this revision. */
  lock: ReleaseLock.nullable(),
})
export type Revision = z.infer<typeof Revision>

export const ValidateBody = z.object({ appMetadata: AppMetadata, yaml: Yaml })
/** Values to set, each at its place. */
const Remedy = z.array(z.object({ path: z.array(z.string()), value: z.boolean() }))
export type Remedy = z.infer<typeof Remedy>
export const ValidationResult = z.object({
  provider: z.string(),
  resultType: LintResultType,
  lines: z.array(ResultLine),
  success: z.boolean(),
  outside: Outside.nullable().describe('what the release needs outside of its space; null: nothing, or not found out'),
  remedy: Remedy.describe('values with which refused network policies are left out; empty: nothing to offer'),
})
export type ValidationResult = z.infer<typeof ValidationResult>

export const ConvertBody = z.object({
  originalYaml: Yaml,
  config: z.array(FieldConfiguration).max(2000).default([]),
  versionId: Id.optional(),
})

const accepted = z.object({ actionId: z.string(), state: ActionState, releaseName: z.string().nullable() })
export type Accepted = z.infer<typeof accepted>

export const deployments = {
  assign: endpoint('POST', `${base}/actions.Assign`, {
    summary: 'Assign a catalog version to a space and cluster; returns the new app',
    body: AssignCommand,
    reply: App,
  }),
  prepare: endpoint('POST', `${base}/actions.Prepare`, {
    summary: 'Prepare the values of a version; the result comes as the socket event Prepare and as the action',
    body: PrepareCommand,
    reply: accepted,
    status: 202,
  }),
  deploy: endpoint('POST', `${base}/actions.Deploy`, {
    summary: 'Install an assigned app; header Idempotency-Key makes a retry safe',
    body: DeployCommand,
    reply: accepted,
    status: 202,
  }),
  upgrade: endpoint('POST', `${base}/actions.Upgrade`, {
    summary: 'Upgrade a deployed app to a version and values',
    body: UpgradeCommand,
    reply: accepted,
    status: 202,
  }),
  rollback: endpoint('POST', `${base}/actions.Rollback`, {
    summary: 'Roll a deployed app back to a revision',
    body: RollbackCommand,
    reply: accepted,
    status: 202,
  }),
  remove: endpoint('POST', `${base}/actions.Delete`, {
    summary: 'Delete an app with its release',
    body: DeleteCommand,
    reply: accepted,
    status: 202,
  }),
  repair: endpoint('POST', `${base}/actions.Repair`, {
    summary: 'Free a release that an interrupted Helm left locked; nothing that runs is touched',
    body: RepairCommand,
    reply: accepted,
    status: 202,
  }),
  leftovers: endpoint('GET', `${base}/leftovers/:id`, {
    summary: 'What deleting an app would leave behind, each with what becomes of it unless Delete says otherwise',
    params: ById,
    reply: z.object({ data: z.array(Leftover) }),
  }),
  catalogApp: endpoint('GET', '/v1/catalogapp/:id', {
    summary: 'The catalog app of a version id',
    params: ById,
    reply: z.object({
      id: z.string(),
      catalogItemId: z.string(),
      iconEmbedded: z.string().nullable(),
      iconUri: z.string().nullable(),
      child: CatalogChild,
    }),
  }),
  revisions: endpoint('GET', `${base}/revisions/:id`, {
    summary: 'Revisions of an app, newest first',
    params: ById,
    reply: z.object({ data: z.array(Revision) }),
  }),
  revision: endpoint('GET', `${base}/revision/:appId/:revision`, {
    summary: 'A revision of an app with its values and manifest',
    handsOut: true,
    params: z.object({ appId: Id, revision: z.coerce.number().int().min(1).max(1_000_000) }),
    reply: Revision.extend({ valuesYaml: z.string(), manifest: z.string(), notes: z.string() }),
  }),
  ...upgrading,
  releaseName: endpoint('GET', `${base}/releasename/:appId/:name`, {
    summary: 'The release name for an app of this name',
    params: z.object({ appId: Id, name: z.string().min(1).max(200) }),
    reply: z.object({ name: z.string() }),
  }),
  deployed: endpoint('GET', `${base}/deployed/:tenantId/:itemId`, {
    summary: 'Apps of a tenant that are deployed from a catalog item',
    params: z.object({ tenantId: Id, itemId: Id }),
    reply: z.object({ data: z.array(DeployedApp) }),
  }),
  deployedApp: endpoint('GET', `${base}/deployed/:tenantId/:itemId/app/:appId`, {
    summary: 'An app of a tenant that is deployed from a catalog item',
    params: z.object({ tenantId: Id, itemId: Id, appId: Id }),
    reply: DeployedApp,
  }),
  deployedByIds: endpoint('POST', `${base}/deployed/:tenantId/ids`, {
    summary: 'Deployed apps by app ids',
    onlyReads: true,
    params: z.object({ tenantId: Id }),
    body: z.array(Id).max(1000),
    reply: z.object({ data: z.array(DeployedApp) }),
  }),
  validate: endpoint('PUT', `${base}/validate/:id`, {
    summary: 'Validate values against catalog version id: YAML, schema, template, lint, policy, dry run',
    onlyReads: true,
    params: ById,
    body: ValidateBody,
    reply: ValidationResult,
  }),
  ...askingApproval,
  toYaml: endpoint('POST', '/v1/convert/toyaml', {
    summary: 'Write the values of a form configuration into the YAML, touching nothing else',
    onlyReads: true,
    body: ConvertBody,
    reply: z.object({ yaml: z.string() }),
  }),
  toJson: endpoint('POST', '/v1/convert/tojson', {
    summary: 'The form configuration of a YAML document',
    onlyReads: true,
    body: ConvertBody,
    reply: z.object({ yaml: z.string(), config: z.array(FieldConfiguration) }),
  }),
  listActions: endpoint('GET', '/v1/actions', {
    summary: 'The ledger, what runs first; filters: state (also running), kind, appId, spaceId, clusterId, startedBy',
    query: ListQuery,
    reply: listOf(Action),
  }),
  getAction: endpoint('GET', '/v1/actions/:id', {
    summary: 'One action; with wait=seconds (up to 60) the answer comes when it has ended or the time is over',
    params: ById,
    query: z.object({ wait: z.coerce.number().int().min(0).max(60).default(0) }),
    reply: Action,
  }),
  cancelAction: endpoint('POST', '/v1/actions/:id/cancel', {
    summary: 'Cancel an action for which no Helm was started; it ends as Failed, what was granted is taken back',
    params: ById,
    reply: Action,
  }),
  abortAction: endpoint('POST', '/v1/actions/:id/abort', {
    summary: 'End an action at any time, also its Helm; leftBehind tells what is left',
    params: ById,
    reply: Action,
  }),
  retryAction: endpoint('POST', '/v1/actions/:id/retry', {
    summary: 'Do a failed action again with the same input, if nothing was done with its app since',
    params: ById,
    reply: accepted,
    status: 202,
  }),
  actionEvents: endpoint('GET', '/v1/actions/:id/events', {
    summary: `Events of an action after a sequence number, ${mostEventsAtOnce} at most: ask again after the last one`,
    params: ById,
    query: z.object({ after: z.coerce.number().int().min(0).default(0) }),
    reply: z.object({ data: z.array(ActionEvent) }),
  }),
}
