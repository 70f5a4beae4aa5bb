/** Every error that the server says, by code. The status decides the title that people see. */
export const errorCatalogue = {
  'request.invalid': { status: 400, message: 'The request is not valid.' },
  'request.too-large': { status: 413, message: 'The request is too large.' },
  'request.too-many': { status: 429, message: 'Too many requests. Try again in a moment.' },
  'portal.busy': { status: 429, message: 'The portal has too much to do right now. Try again in a moment.' },
  'request.key-reused': { status: 409, message: 'This idempotency key was used for another command.' },
  'request.not-found': { status: 404, message: 'There is nothing at this address.' },
  'request.wrong-method': { status: 405, message: 'This address does not support that method.' },
  'request.unsupported-media-type': { status: 415, message: 'This content type is not supported here.' },
  'auth.missing': { status: 401, message: 'Sign in to continue.' },
  'auth.invalid': { status: 401, message: 'This token is not valid here.' },
  'auth.expired': { status: 401, message: 'The session has expired. Sign in again.' },
  'auth.forbidden': { status: 403, message: 'You do not have the role that this requires.' },
  'auth.escalation': { status: 403, message: 'You can only grant roles that you hold yourself.' },
  'auth.token-limits': { status: 403, message: 'A personal token cannot do this. Sign in to the portal instead.' },
  'live.too-many': {
    status: 429,
    message: 'You have too many live connections open. Close pages of the portal that you do not need.',
  },
  'tenant.not-found': { status: 404, message: 'This tenant does not exist.' },
  'space.not-found': { status: 404, message: 'This space does not exist.' },
  'space.name-taken': { status: 409, message: 'A space with this name already exists.' },
  'space.frozen': { status: 409, message: 'Deployments in this space are frozen.' },
  'space.not-empty': { status: 409, message: 'This space still contains apps. Delete them first.' },
  'space.cluster-in-use': {
    status: 409,
    message: 'The space still has apps on the cluster that you want to remove. Delete them first.',
  },
  'space.still-leaving': {
    status: 409,
    message:
      'The earlier contents of the space are still being removed from this cluster. Add the cluster once that has finished.',
  },
  'permission.not-found': { status: 404, message: 'This permission list entry does not exist.' },
  'permission.exists': { status: 409, message: 'The permission list already has this entry.' },
  'permission.escalation': {
    status: 403,
    message: 'You can only grant permissions that you have in this space yourself.',
  },
  'permission.owner-only': {
    status: 403,
    message: 'Only an owner of this space or an administrator of all spaces can do this.',
  },
  'permission.own': {
    status: 403,
    message: 'You cannot add or raise your own permissions. Ask another owner or manager of the space.',
  },
  'permission.last-owner': { status: 409, message: 'A space needs at least one permanent owner who can sign in.' },
  'permission.too-many': { status: 409, message: 'This permission list is full.' },
  'space-role.not-found': { status: 404, message: 'This space role does not exist.' },
  'space-role.name-taken': { status: 409, message: 'A role with this name already exists.' },
  'space-role.in-use': { status: 409, message: 'This role is still used in spaces. Assign other roles there first.' },
  'space-role.too-many': { status: 409, message: 'This tenant cannot have more space roles.' },
  'access-request.not-found': { status: 404, message: 'This request does not exist.' },
  'access-request.answered': { status: 409, message: 'This request has already been answered.' },
  'access-request.waiting': {
    status: 409,
    message: 'You have already asked for this. Wait for an answer first.',
  },
  'access-request.held': { status: 409, message: 'You already have this role.' },
  'access-request.too-many': { status: 409, message: 'Too many of your requests are waiting for an answer.' },
  'iam.not-locked': { status: 404, message: 'There is no lockout here, or it has already ended.' },
  'webhook.not-found': { status: 404, message: 'This webhook does not exist.' },
  'webhook.name-taken': { status: 409, message: 'A webhook with this name already exists.' },
  'webhook.too-many': { status: 409, message: 'The tenant cannot have more webhooks. Delete one first.' },
  'webhook.address': {
    status: 400,
    message: 'The portal cannot send to this address. Use a public https address, or ask the operator to allow it.',
  },
  'webhook.unseen-spaces': {
    status: 403,
    message: 'A webhook can only report on spaces whose apps you can see. Choose from those.',
  },
  'notice.not-found': { status: 404, message: 'This notification does not exist, or is too old.' },
  'personal-token.not-found': { status: 404, message: 'This personal token does not exist.' },
  'personal-token.off': { status: 409, message: 'Personal tokens are switched off in this tenant.' },
  'personal-token.too-many': { status: 409, message: 'You cannot have more personal tokens. Delete one first.' },
  'personal-token.people-only': {
    status: 403,
    message: 'Only people who are signed in to the portal itself can create personal tokens.',
  },
  'role-grant.not-found': { status: 404, message: 'This role was not granted on request, or the grant has ended.' },
  'app.not-found': { status: 404, message: 'This app does not exist.' },
  'app-link.not-found': { status: 404, message: 'This app link does not exist.' },
  'app-link.name-taken': { status: 409, message: 'An app link with this name already exists.' },
  'app-link.too-many-tags': { status: 409, message: 'This app link cannot have more tags.' },
  'dashboard.not-found': { status: 404, message: 'This dashboard does not exist.' },
  'dashboard.forbidden': { status: 403, message: 'The permission list of this dashboard does not let you do this.' },
  'dashboard.escalation': { status: 403, message: 'You can only grant permissions that you have on this dashboard.' },
  'dashboard.revision-changed': {
    status: 409,
    message: 'Somebody else has saved this dashboard in the meantime.',
  },
  'dashboard.last-manager': { status: 409, message: 'A dashboard needs at least one user who manages it.' },
  'dashboard.has-manager': {
    status: 409,
    message: 'Somebody still manages this dashboard. Ask one of its managers to share it with you.',
  },
  'dashboard.permission-not-found': { status: 404, message: 'This permission list entry does not exist.' },
  'dashboard.permission-exists': { status: 409, message: 'The permission list already has this entry.' },
  'dashboard.too-many': { status: 409, message: 'This list is full. Remove something first.' },
  'widget.not-found': { status: 404, message: 'This widget does not exist.' },
  'widget.built-in': { status: 409, message: 'This widget is part of the portal and cannot be removed.' },
  'widget.exists': { status: 409, message: 'A widget with this name and version already exists with other content.' },
  'configuration.not-found': { status: 404, message: 'This configuration does not exist.' },
  'configuration.name-taken': { status: 409, message: 'A configuration with this name already exists.' },
  'configuration.revision-changed': {
    status: 409,
    message: 'Somebody else has saved this configuration in the meantime.',
  },
  'menu.group-not-found': { status: 404, message: 'This sidebar group does not exist.' },
  'menu.entry-not-found': { status: 404, message: 'This sidebar entry does not exist.' },
  'menu.already-pinned': { status: 409, message: 'This group already has this entry.' },
  'menu.full': { status: 409, message: 'The sidebar is full. Remove something first.' },
  'cluster.not-found': { status: 404, message: 'This cluster does not exist.' },
  'cluster.not-in-space': { status: 400, message: 'This cluster does not belong to the space.' },
  'cluster.name-taken': { status: 409, message: 'A cluster with this name already exists.' },
  'cluster.in-use': { status: 409, message: 'Apps still run on this cluster. Delete them first.' },
  'cluster.unreachable': { status: 502, message: 'The cluster could not be reached.' },
  'cluster.refused': { status: 502, message: 'The cluster refused the request.' },
  'cluster.kubeconfig-refused': { status: 400, message: 'This kubeconfig cannot be used.' },
  'kubeconfig.not-found': { status: 404, message: 'This kubeconfig does not exist, or it ended too long ago.' },
  'cluster.pod-not-found': { status: 404, message: 'This pod does not exist.' },
  'cluster.workload-not-found': { status: 404, message: 'This app has no such workload.' },
  'cluster.beyond-quota': { status: 409, message: 'The quota of the space does not leave enough room for this.' },
  'cluster.autoscaled': { status: 409, message: 'An autoscaler sets the replicas of this workload.' },
  'cluster.not-resizable': { status: 409, message: 'This cluster has no node pools that the portal can resize.' },
  'cluster.pool-not-found': { status: 404, message: 'This cluster has no such node pool.' },
  'cluster.rule-not-found': { status: 404, message: 'This list entry does not exist.' },
  'cluster.rule-exists': { status: 409, message: 'The list already has this entry.' },
  'cluster.rule-refused': { status: 400, message: 'No cluster list can allow charts to create this.' },
  'cluster.rules-too-many': { status: 409, message: 'The list of this cluster is full.' },
  'approval.not-found': { status: 404, message: 'This request does not exist.' },
  'approval.answered': { status: 409, message: 'This request has already been answered.' },
  'approval.too-many': { status: 409, message: 'Too many requests of this space are waiting for an answer.' },
  'approval.not-needed': { status: 409, message: 'This deployment does not need an approval.' },
  'approval.refused': { status: 409, message: 'Nobody can approve what this deployment needs.' },
  'catalog.publisher-not-found': {
    status: 404,
    message: 'No account with this user name has uploaded anything.',
  },
  'catalog.item-not-found': { status: 404, message: 'This catalog item does not exist.' },
  'catalog.version-not-found': { status: 404, message: 'This catalog version does not exist.' },
  'catalog.package-refused': { status: 400, message: 'This package cannot be used.' },
  'catalog.version-exists': { status: 409, message: 'This version already exists with different content.' },
  'catalog.in-use': { status: 409, message: 'Apps are still deployed from this item. Delete them first.' },
  'catalog.source-not-found': { status: 404, message: 'This catalog source does not exist.' },
  'catalog.source-name-taken': { status: 409, message: 'A catalog source with this name already exists.' },
  'catalog.source-silent': { status: 409, message: 'This source could not be read.' },
  'catalog.sources-too-many': { status: 409, message: 'The catalog cannot have more sources. Delete one first.' },
  'catalog.run-not-found': { status: 404, message: 'This run does not exist, or is too old.' },
  'catalog.item-from-elsewhere': {
    status: 409,
    message: 'An item with this name already exists and came from elsewhere.',
  },
  'catalog.quota': { status: 507, message: 'The catalog of this tenant is full.' },
  'catalog.disk-full': {
    status: 507,
    message:
      'The disk of the portal is full, so this package cannot be stored. Free space in its data folder and try again.',
  },
  'deployment.action-not-found': { status: 404, message: 'This action does not exist.' },
  'deployment.release-name-taken': { status: 409, message: 'This release name is already in use in the namespace.' },
  'deployment.release-name-of-another': {
    status: 409,
    message: 'This release name ends with the identifier of another app.',
  },
  'deployment.already-deployed': {
    status: 409,
    message: 'This app is already deployed under another release name. Upgrade it instead.',
  },
  'deployment.already-running': { status: 409, message: 'Another action is running on this release.' },
  'deployment.revision-not-found': { status: 404, message: 'This revision does not exist.' },
  'deployment.revision-changed': { status: 409, message: 'Another revision has been deployed in the meantime.' },
  'deployment.not-deployed': { status: 409, message: 'This app is not deployed.' },
  'deployment.helm-at-work': {
    status: 409,
    message: 'Somebody outside this portal is probably working on the release with Helm.',
  },
  'deployment.not-retryable': { status: 409, message: 'This action cannot be retried.' },
  'deployment.not-waiting': {
    status: 409,
    message: 'Too late to cancel: the installation has started.',
  },
  'deployment.not-abortable': { status: 409, message: 'Too late to abort: this action is no longer running.' },
  'deployment.pods-elevated': {
    status: 403,
    message: 'Pods of this space have rights on the whole cluster. Starting them takes a right that you do not have.',
  },
  'deployment.leftover-stays': { status: 409, message: 'This cannot be removed along with the app.' },
  'deployment.disk-full': {
    status: 507,
    message: 'The disk of the portal is full. Free space in its data folder and try again.',
  },
  'preset.not-found': { status: 404, message: 'This preset does not exist.' },
  'preset.name-taken': { status: 409, message: 'A preset with this name already exists.' },
  'preset.nothing-to-keep': {
    status: 400,
    message: 'The values match the defaults of the chart, apart from secrets, so there is nothing to save.',
  },
  'preset.too-many': { status: 409, message: 'This catalog item cannot have more presets.' },
  'values.invalid-yaml': { status: 400, message: 'The YAML cannot be read.' },
  'values.secret-missing': { status: 400, message: 'A masked value has no saved secret behind it. Enter the value.' },
  'values.too-large': { status: 413, message: 'The YAML is too large.' },
  'iam.user-not-found': { status: 404, message: 'This user does not exist.' },
  'iam.group-not-found': { status: 404, message: 'This group does not exist.' },
  'iam.role-not-found': { status: 404, message: 'This role does not exist, or it does not belong to this portal.' },
  'iam.client-not-found': { status: 404, message: 'This client does not exist.' },
  'iam.client-kept': { status: 409, message: 'The portal needs this client, so it cannot be changed.' },
  'iam.client-exists': { status: 409, message: 'A client with this id already exists.' },
  'iam.credential-not-found': { status: 404, message: 'This credential does not exist.' },
  'iam.session-not-found': { status: 404, message: 'This session does not exist, or has ended.' },
  'iam.consent-not-found': { status: 404, message: 'There is no consent to this client.' },
  'iam.user-exists': { status: 409, message: 'A user with this name or e-mail address already exists.' },
  'iam.group-exists': { status: 409, message: 'A group with this name already exists there.' },
  'iam.role-exists': { status: 409, message: 'A role with this name already exists.' },
  'iam.role-kept': { status: 409, message: 'The portal needs this role, so it cannot be changed.' },
  'iam.person-above': {
    status: 403,
    message: 'This user has roles that you do not have. Ask an administrator who has them.',
  },
  'iam.own-account': { status: 403, message: 'You cannot do this to your own account. Ask another administrator.' },
  'iam.last-administrator': { status: 409, message: 'A tenant needs at least one administrator who can sign in.' },
  'iam.service-account': {
    status: 409,
    message: 'This account belongs to a service account. Change or delete the service account instead.',
  },
  'iam.no-mail': { status: 409, message: 'The identity server could not send mail.' },
  'iam.no-links': {
    status: 501,
    message: 'This identity server sends links by mail only. Set up a mail server and mail the link instead.',
  },
  'iam.no-outbox': {
    status: 501,
    message: 'This identity server keeps no mails. Set up a mail server, and it sends them at once.',
  },
  'iam.no-address-locks': {
    status: 501,
    message: 'This identity server locks no addresses, only accounts, so there is no address to unlock.',
  },
  'iam.mail-not-found': { status: 404, message: 'This mail does not exist, or is older than 30 days.' },
  'iam.provider-not-found': { status: 404, message: 'This identity provider does not exist.' },
  'iam.provider-exists': { status: 409, message: 'An identity provider with this id already exists.' },
  'iam.provider-silent': { status: 409, message: 'No identity provider answers at this address.' },
  'iam.provider-kept': {
    status: 409,
    message:
      'This identity provider is set up in Keycloak. Only its name, its position and whether it is on can be changed here.',
  },
  'iam.mapping-not-found': { status: 404, message: 'This mapping does not exist.' },
  'iam.mapping-exists': { status: 409, message: 'This mapping already exists.' },
  'iam.link-not-found': { status: 404, message: 'This account is not linked to the identity provider.' },
  'iam.only-way-in': {
    status: 409,
    message: 'You would no longer be able to sign in. Set a password for your account first.',
  },
  'iam.refused': { status: 409, message: 'The identity server refused this.' },
  'iam.setting-refused': { status: 400, message: 'The identity server does not accept this setting.' },
  'iam.unreachable': { status: 502, message: 'The identity server could not be reached.' },
  'metrics.unreachable': {
    status: 502,
    message: 'The metrics server could not be reached. Figures are shown again once it answers.',
  },
  'metrics.refused': { status: 502, message: 'The metrics server refused the request.' },
  'database.unavailable': { status: 503, message: 'The database cannot be reached. Try again in a moment.' },
  'database.outcome-unknown': {
    status: 503,
    message:
      'The connection to the database was lost during the commit, so the change may or may not have been made. Check whether it was made, or send the request again with the same Idempotency-Key.',
  },
  'database.full': {
    status: 507,
    message:
      'The disk of the database is full, so nothing was changed. Free space there and try again; the portal recovers by itself.',
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
  429: 'The portal is busy',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporary Unavailable',
  504: 'Gateway Timeout',
}
const otherStatusMessage = 'Something went wrong'

export function statusMessage(status: number): string {
  return statusMessages[status] ?? otherStatusMessage
}
