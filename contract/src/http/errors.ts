/** Every error that the server says, by code. The status decides the title that people see. */
export const errorCatalogue = {
  'request.invalid': { status: 400, message: 'The request is not valid.' },
  'request.too-large': { status: 413, message: 'The request is too large.' },
  'request.too-many': { status: 429, message: 'Too many requests. Try again in a moment.' },
  'request.key-reused': { status: 409, message: 'This idempotency key was used for another command.' },
  'request.not-found': { status: 404, message: 'There is nothing at this address.' },
  'request.wrong-method': { status: 405, message: 'This address does not answer that method.' },
  'request.unsupported-media-type': { status: 415, message: 'This content type is not understood here.' },
  'auth.missing': { status: 401, message: 'Sign in to continue.' },
  'auth.invalid': { status: 401, message: 'This token is not valid here.' },
  'auth.expired': { status: 401, message: 'The session has expired. Sign in again.' },
  'auth.forbidden': { status: 403, message: 'You do not have the role that this needs.' },
  'auth.escalation': { status: 403, message: 'You can only grant roles that you hold yourself.' },
  'tenant.not-found': { status: 404, message: 'This tenant does not exist.' },
  'space.not-found': { status: 404, message: 'This space does not exist.' },
  'space.name-taken': { status: 409, message: 'A space with this name exists already.' },
  'space.not-empty': { status: 409, message: 'This space still holds apps. Delete them first.' },
  'space.cluster-in-use': {
    status: 409,
    message: 'Apps of this space are still on the cluster that it is to leave. Delete them first.',
  },
  'space.still-leaving': {
    status: 409,
    message: 'What the space had on this cluster is still being removed. Add the cluster when that has ended.',
  },
  'permission.not-found': { status: 404, message: 'This entry of the permission list does not exist.' },
  'permission.exists': { status: 409, message: 'The permission list has this entry already.' },
  'permission.escalation': { status: 403, message: 'You can only grant what you hold in this space yourself.' },
  'permission.owner-only': {
    status: 403,
    message: 'Only an owner of this space, or somebody who manages all spaces, can do this.',
  },
  'permission.own': {
    status: 403,
    message: 'Nobody adds or raises an entry for themselves. Another owner or manager of the space can.',
  },
  'permission.last-owner': { status: 409, message: 'A space keeps at least one owner without an end who can sign in.' },
  'permission.too-many': { status: 409, message: 'This permission list has as many entries as it may have.' },
  'space-role.not-found': { status: 404, message: 'This role does not exist in spaces.' },
  'space-role.name-taken': { status: 409, message: 'A role with this name exists already.' },
  'space-role.in-use': { status: 409, message: 'This role is given in spaces. Give others there first.' },
  'space-role.too-many': { status: 409, message: 'This tenant has as many roles for spaces as it may have.' },
  'access-request.not-found': { status: 404, message: 'This request does not exist.' },
  'access-request.answered': { status: 409, message: 'This request was answered already.' },
  'access-request.waiting': {
    status: 409,
    message: 'You have asked for this already. Somebody has to answer it first.',
  },
  'access-request.held': { status: 409, message: 'You hold this role already.' },
  'access-request.too-many': { status: 409, message: 'Too many of your requests wait for an answer.' },
  'iam.not-locked': { status: 404, message: 'Nobody is locked out here: the lock has ended, or there was none.' },
  'role-grant.not-found': { status: 404, message: 'This role was not given on request, or has ended.' },
  'app.not-found': { status: 404, message: 'This app does not exist.' },
  'app-link.not-found': { status: 404, message: 'This app link does not exist.' },
  'app-link.name-taken': { status: 409, message: 'An app link with this name exists already.' },
  'app-link.too-many-tags': { status: 409, message: 'This app link has as many tags as it may have.' },
  'dashboard.not-found': { status: 404, message: 'This dashboard does not exist.' },
  'menu.group-not-found': { status: 404, message: 'This group of the side bar does not exist.' },
  'menu.entry-not-found': { status: 404, message: 'This entry of the side bar does not exist.' },
  'menu.already-pinned': { status: 409, message: 'This group has this entry already.' },
  'menu.full': { status: 409, message: 'The side bar holds as much as it may. Remove something first.' },
  'cluster.not-found': { status: 404, message: 'This cluster does not exist.' },
  'cluster.not-in-space': { status: 400, message: 'This cluster does not belong to the space.' },
  'cluster.name-taken': { status: 409, message: 'A cluster with this name exists already.' },
  'cluster.in-use': { status: 409, message: 'Apps still run on this cluster. Delete them first.' },
  'cluster.unreachable': { status: 502, message: 'The cluster could not be reached.' },
  'cluster.refused': { status: 502, message: 'The cluster refused the request.' },
  'cluster.kubeconfig-refused': { status: 400, message: 'This kubeconfig cannot be used.' },
  'kubeconfig.not-found': { status: 404, message: 'This kubeconfig does not exist, or its end is too long ago.' },
  'cluster.pod-not-found': { status: 404, message: 'This pod does not exist.' },
  'cluster.rule-not-found': { status: 404, message: 'This entry of the list does not exist.' },
  'cluster.rule-exists': { status: 409, message: 'The list has this entry already.' },
  'cluster.rule-refused': { status: 400, message: 'No list of a cluster can let charts make this.' },
  'cluster.rules-too-many': { status: 409, message: 'The list of this cluster has as many entries as it may have.' },
  'approval.not-found': { status: 404, message: 'This request does not exist.' },
  'approval.answered': { status: 409, message: 'This request was answered already.' },
  'approval.too-many': { status: 409, message: 'Too many requests of this space wait for an answer.' },
  'approval.not-needed': { status: 409, message: 'Nothing has to be approved for this deployment.' },
  'approval.refused': { status: 409, message: 'Nobody can approve what this deployment needs.' },
  'catalog.publisher-not-found': {
    status: 404,
    message: 'No account of this user name has uploaded anything.',
  },
  'catalog.item-not-found': { status: 404, message: 'This catalog item does not exist.' },
  'catalog.version-not-found': { status: 404, message: 'This catalog version does not exist.' },
  'catalog.package-refused': { status: 400, message: 'This package cannot be used.' },
  'catalog.version-exists': { status: 409, message: 'This version exists already with different content.' },
  'catalog.in-use': { status: 409, message: 'Apps are still deployed from this item. Delete them first.' },
  'catalog.quota': { status: 507, message: 'The catalog of this tenant is full.' },
  'catalog.disk-full': {
    status: 507,
    message:
      'The disk of the portal is full, so this package cannot be kept. Free space in its data folder and try again.',
  },
  'deployment.action-not-found': { status: 404, message: 'This action does not exist.' },
  'deployment.release-name-taken': { status: 409, message: 'This release name is taken in the namespace.' },
  'deployment.release-name-of-another': {
    status: 409,
    message: 'This release name ends in the identifier of another app.',
  },
  'deployment.already-deployed': {
    status: 409,
    message: 'This app is deployed already under another release name: upgrade it instead.',
  },
  'deployment.already-running': { status: 409, message: 'Another action is running on this release.' },
  'deployment.revision-not-found': { status: 404, message: 'This revision does not exist.' },
  'deployment.revision-changed': { status: 409, message: 'Another revision was deployed meanwhile.' },
  'deployment.not-deployed': { status: 409, message: 'This app is not deployed.' },
  'deployment.helm-at-work': {
    status: 409,
    message: 'Somebody outside of this portal probably is at work on the release with Helm.',
  },
  'deployment.not-retryable': { status: 409, message: 'This action cannot be done again.' },
  'deployment.not-waiting': {
    status: 409,
    message: 'Helm was started for this action, or it has ended, so it cannot be cancelled.',
  },
  'deployment.leftover-stays': { status: 409, message: 'This cannot be removed along with the app.' },
  'deployment.disk-full': {
    status: 507,
    message: 'The disk of the portal is full. Free space in its data folder and try again.',
  },
  'preset.not-found': { status: 404, message: 'This preset does not exist.' },
  'preset.name-taken': { status: 409, message: 'A preset with this name exists already.' },
  'preset.nothing-to-keep': { status: 400, message: 'Nothing differs from the values of the chart that may be kept.' },
  'preset.too-many': { status: 409, message: 'This catalog item has as many presets as it may have.' },
  'values.invalid-yaml': { status: 400, message: 'The YAML cannot be read.' },
  'values.secret-missing': { status: 400, message: 'A masked value stands for nothing that is kept. Write the value.' },
  'values.too-large': { status: 413, message: 'The YAML is too large.' },
  'iam.user-not-found': { status: 404, message: 'This user does not exist.' },
  'iam.group-not-found': { status: 404, message: 'This group does not exist.' },
  'iam.role-not-found': { status: 404, message: 'This role does not exist, or is no role of this portal.' },
  'iam.client-not-found': { status: 404, message: 'This client does not exist.' },
  'iam.client-exists': { status: 409, message: 'A client with this id exists already.' },
  'iam.credential-not-found': { status: 404, message: 'This credential does not exist.' },
  'iam.session-not-found': { status: 404, message: 'This session does not exist, or has ended.' },
  'iam.consent-not-found': { status: 404, message: 'There is no consent to this client.' },
  'iam.user-exists': { status: 409, message: 'A user with this name or address exists already.' },
  'iam.group-exists': { status: 409, message: 'A group with this name exists there already.' },
  'iam.role-exists': { status: 409, message: 'A role with this name exists already.' },
  'iam.role-kept': { status: 409, message: 'The portal needs this role, so it cannot be changed.' },
  'iam.person-above': {
    status: 403,
    message: 'This person holds more than you do: somebody who holds as much has to do this.',
  },
  'iam.own-account': { status: 403, message: 'Nobody does this to their own account. Another administrator can.' },
  'iam.last-administrator': { status: 409, message: 'A tenant keeps at least one administrator who can sign in.' },
  'iam.service-account': {
    status: 409,
    message: 'This is the account of a service account, which is changed and deleted as one.',
  },
  'iam.no-mail': { status: 409, message: 'The identity server could not send mail.' },
  'iam.refused': { status: 409, message: 'The identity server refused this.' },
  'iam.setting-refused': { status: 400, message: 'The identity server does not take this setting.' },
  'iam.unreachable': { status: 502, message: 'The identity server could not be reached.' },
  'database.unavailable': { status: 503, message: 'The database cannot be reached. Try again in a moment.' },
  'database.outcome-unknown': {
    status: 503,
    message:
      'The database was lost while it committed, so this may be done or not. Look whether it was done, or send it again with the same Idempotency-Key.',
  },
  'database.full': {
    status: 507,
    message:
      'The disk of the database is full, so this was not done. Free space there and try again; the portal goes on by itself.',
  },
  internal: { status: 500, message: 'Something went wrong on our side.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** The body of every refusal. `field` names what was wrong, when one thing was. */
export interface ErrorReply {
  status: number
  code: ErrorCode
  message: string
  field?: string
  details?: Record<string, unknown>
  requestId?: string
}

/** The title of the error panel for a status code. */
export const statusMessages: Record<number, string> = {
  0: 'Could not reach the requested service.',
  400: 'Bad Server Request',
  401: 'Unauthorized',
  403: 'Insufficient Permissions',
  404: 'Resources Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporary Unavailable',
  504: 'Gateway Timeout',
}
const otherStatusMessage = 'Something went wrong'

export function statusMessage(status: number): string {
  return statusMessages[status] ?? otherStatusMessage
}
