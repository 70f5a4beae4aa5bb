import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'
import { RoleId } from '../permissions/permission-entry.ts'
import { askedScopes, usualRight } from './asked-right.ts'
import { mostReached } from './network-reach.ts'

const endpoint = endpointsOf('cluster')
const Named = z.object({ id: z.string(), displayName: z.string() })
const line = /^\P{Cc}*$/u

/** The right that deploying asks for in a space where an app holds rights on the whole cluster; see asked-right.ts. */
export const AskedRight = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('scope'), id: z.enum(askedScopes) }),
  z.strictObject({ type: z.literal('role'), id: RoleId }),
])

/** An object that a release needs outside of the namespace of its space. */
export const OutsideObject = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  /** Null: it belongs to the whole cluster. */
  namespace: z.string().nullable(),
  /** With it, whoever runs a pod in the space holds rights outside of the space. */
  elevates: z.boolean(),
  /** Permissions that the object grants, one sentence for each. */
  grants: z.array(z.string()),
})
export type OutsideObject = z.infer<typeof OutsideObject>

/**
 * `rule`: the list of the cluster has it; `approved`: somebody approved exactly this; `ask`: somebody can be asked;
 * `waiting`: somebody was asked; `declined`: and said no, one can ask again; `never`: no list and no approval lets it be.
 */
export const NeedVerdict = z.enum(['rule', 'approved', 'ask', 'waiting', 'declined', 'never'])
export type NeedVerdict = z.infer<typeof NeedVerdict>
export const OutsideNeed = OutsideObject.extend({
  verdict: NeedVerdict,
  /** Why, and the way on. */
  message: z.string(),
})
export type OutsideNeed = z.infer<typeof OutsideNeed>

/** An entry of a cluster's list: what charts may make outside of their space. */
export const ClusterRule = z.object({
  id: z.string(),
  /** API group, empty for the core group. */
  group: z.string(),
  kind: z.string(),
  /** A name, or a pattern in which `*` stands for any text; null: every name. */
  name: z.string().nullable(),
  /** Only charts of this catalog item; null: of every one. */
  item: Named.nullable(),
  /** Only versions that the account of this user name has uploaded; null: of every one. */
  publisher: z.string().nullable(),
  /** Objects of this kind give rights outside of the space: its space becomes elevated. */
  elevates: z.boolean(),
  note: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
})
export type ClusterRule = z.infer<typeof ClusterRule>

export const ClusterRuleInput = z.strictObject({
  group: z
    .string()
    .trim()
    .regex(/^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$/, 'a group such as apiextensions.k8s.io, or empty'),
  kind: z
    .string()
    .trim()
    .regex(/^[A-Z][A-Za-z0-9]{0,62}$/, 'a kind such as ClusterRole'),
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9*]([A-Za-z0-9.:*_-]{0,252})$/, 'a name, * stands for any text')
    .nullable()
    .default(null),
  itemId: Id.nullable().default(null),
  publisher: z.string().trim().min(1).max(200).regex(line).nullable().default(null),
  note: z.string().trim().max(longest.note, `at most ${longest.note} characters`).default(''),
})
export type ClusterRuleInput = z.infer<typeof ClusterRuleInput>
/** How many entries the list of a cluster has at most. */
export const mostClusterRules = 500

const ApprovalState = z.enum(['open', 'granted', 'declined', 'ended'])
/** Somebody asked for what a chart needs outside of its space and the cluster's list does not have. */
export const Approval = z.object({
  id: z.string(),
  state: ApprovalState,
  cluster: Named,
  space: Named,
  app: Named,
  item: Named,
  version: z.string(),
  objects: z.array(OutsideObject),
  /** The space becomes one where deploying asks for another right (`asksFor`), and where kubeconfigs only read. */
  elevates: z.boolean(),
  /** The right that the approver has named. */
  asksFor: AskedRight,
  /** Other apps of the space on this cluster: what runs of them gets the same rights. */
  otherApps: z.array(z.string()),
  reason: z.string(),
  askedBy: z.object({ id: z.string(), name: z.string() }),
  askedAt: z.string(),
  answeredBy: z.string().nullable(),
  answeredAt: z.string().nullable(),
  note: z.string().nullable(),
  /** Until when it can be used for a deployment; null: as long as the app exists. Deployed objects stay. */
  expiresAt: z.string().nullable(),
})
export type Approval = z.infer<typeof Approval>

export const ApprovalAnswer = z.strictObject({
  decision: z.enum(['grant', 'decline']),
  note: z.string().trim().max(longest.note, `at most ${longest.note} characters`).default(''),
  /** For how long it can be used; null: without an end. */
  hours: z.number().int().min(1, 'at least an hour').max(8760, 'at most a year').nullable().default(null),
  /** The right that deploying in the space asks for from then on, where the objects elevate it. */
  asksFor: AskedRight.default(usualRight),
})
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>
/** How many requests of one space wait for an answer at most. */
export const mostOpenApprovals = 50

/** Levels of the Pod Security Standards. */
export const PodSecurity = z.enum(['privileged', 'baseline', 'restricted'])
export type PodSecurity = z.infer<typeof PodSecurity>
/**
 * `standard`: pods of the space talk with each other and DNS, reach what `reaches` opens, and are reached through the
 * ingress; `own`: the same, not through the ingress; `open`: no limit.
 */
export const SpaceNetwork = z.enum(['standard', 'own', 'open'])
export type SpaceNetwork = z.infer<typeof SpaceNetwork>
const NamespaceName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the name of a namespace')
const Addresses = z.union([z.cidrv4(), z.cidrv6()], 'addresses such as 10.20.0.0/16')
/** See network-reach.ts. */
const NetworkReach = z.strictObject({
  internet: z.boolean(),
  apiServer: z.boolean(),
  namespaces: z.array(NamespaceName).max(mostReached),
  addresses: z.array(Addresses).max(mostReached),
  chartPolicies: z.boolean(),
})

/** A space on a cluster, with what holds it apart there. */
export const SpaceOnCluster = z.object({
  space: Named,
  namespace: z.string(),
  podSecurity: PodSecurity,
  network: SpaceNetwork,
  reaches: NetworkReach,
  /** Other registrations of the same cluster that the space uses and that are stricter: of both, the stricter counts. */
  stricter: z.array(Named),
  /**
   * Apps whose releases hold rights outside of the space, one without id where the caller sees no apps, and, without an id, bindings on the whole cluster that no
   * release holds and that give its accounts rights; empty: none does.
   */
  elevatedBy: z.array(Named),
  /** Rights that deploying there asks for: all of them; empty where nobody elevates the space. */
  asksFor: z.array(AskedRight),
  /** Tells whether the cluster has all this; null: nothing was deployed there yet. */
  applied: z.boolean().nullable(),
  /** Why not, where the cluster said. */
  message: z.string().nullable(),
})
export type SpaceOnCluster = z.infer<typeof SpaceOnCluster>
/** A cluster on which whoever runs a pod of a space has rights outside of it. */
const ElevatedOn = z.object({
  cluster: Named,
  /** Rights that deploying there asks for: all of them. */
  asksFor: z.array(AskedRight),
})
export const SpaceOnClusterPatch = z.strictObject({
  podSecurity: PodSecurity.optional(),
  network: SpaceNetwork.optional(),
  reaches: NetworkReach.optional(),
})
export type SpaceOnClusterPatch = z.infer<typeof SpaceOnClusterPatch>

/**
 * Rules for objects that charts create on a cluster outside of their space, requests for more, and the isolation of
 * spaces.
 */
export const clusterRules = {
  listRules: endpoint('GET', '/v1/clusters/:id/rules', {
    summary: 'What charts may make on a cluster outside of their space',
    params: ById,
    reply: z.object({ data: z.array(ClusterRule) }),
  }),
  addRule: endpoint('POST', '/v1/clusters/:id/rules', {
    summary: 'Let charts make one more kind of object outside of their space',
    params: ById,
    body: ClusterRuleInput,
    reply: ClusterRule,
    status: 201,
  }),
  removeRule: endpoint('DELETE', '/v1/clusters/:id/rules/:rule', {
    summary: 'Take an entry off the list of a cluster; an action that runs by it is stopped, what is deployed stays',
    params: ById.extend({ rule: Id }),
    status: 204,
  }),
  listApprovals: endpoint('GET', '/v1/approvals', {
    summary: 'Requests for objects outside of a space, open ones first; filters: state, clusterId, spaceId, appId',
    query: ListQuery,
    reply: listOf(Approval),
  }),
  getApproval: endpoint('GET', '/v1/approvals/:id', {
    summary: 'One request for objects outside of a space',
    params: ById,
    reply: Approval,
  }),
  answerApproval: endpoint('POST', '/v1/approvals/:id/answer', {
    summary: 'Approve or decline a request for objects outside of a space',
    params: ById,
    body: ApprovalAnswer,
    reply: Approval,
  }),
  withdrawApproval: endpoint('DELETE', '/v1/approvals/:id', {
    summary: 'Take back an own request that nobody has answered',
    params: ById,
    status: 204,
  }),
  endApproval: endpoint('POST', '/v1/approvals/:id/end', {
    summary:
      'End an approval: no further deployment can use it, one that runs by it is stopped, what is deployed stays',
    params: ById,
    reply: Approval,
  }),
  listSpacesOn: endpoint('GET', '/v1/clusters/:id/spaces', {
    summary:
      'Spaces on a cluster that the caller sees, with their Pod Security level, network and rights outside of the space',
    params: ById,
    reply: z.object({ data: z.array(SpaceOnCluster) }),
  }),
  elevationOfSpace: endpoint('GET', '/v1/spaces/:id/elevation', {
    summary: 'Clusters on which apps of a space hold rights outside of it, and what deploying there asks for',
    params: ById,
    reply: z.object({ data: z.array(ElevatedOn) }),
  }),
  changeSpaceOn: endpoint('PUT', '/v1/clusters/:id/spaces/:spaceId', {
    summary: 'Change the Pod Security level or the network of a space on a cluster',
    params: ById.extend({ spaceId: Id }),
    body: SpaceOnClusterPatch,
    reply: SpaceOnCluster,
  }),
}
