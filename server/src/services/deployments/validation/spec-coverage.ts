type Place = readonly [file: string, words: string]

const here = 'server/src/services/deployments'
const http = `${here}/deployments.http.test.ts`
const engine = `${here}/engine/engine.http.test.ts`
const upgrade = `${here}/commands/upgrade.http.test.ts`
const repair = `${here}/commands/repair.http.test.ts`
const aborting = `${here}/commands/ending/abort.http.test.ts`
const leftovers = `${here}/releases/leftovers.http.test.ts`
const disk = 'system-tests/outages/disk.http.test.ts'
const database = 'system-tests/outages/database.http.test.ts'
const api = 'system-tests/outages/api.http.test.ts'
const access = 'server/src/services/app-access/app-access.http.test.ts'
const elevated = 'system-tests/security/gain-the-cluster/deploy-without-the-named-right.http.test.ts'
const web = 'web/src/features/deployments'
const progress = `${web}/progress/progress.test.ts`
const wizardFor = `${web}/wizard-for.test.ts`
const apiError = 'web/src/lib/api/api-error.test.ts'

/**
 * Sections 3, 4.1 to 4.3, 7.6 and 8 of the specification, as far as they are about deployments: what there is, and the
 * test that fails when it changes. `spec-coverage.test.ts` holds that nothing is missing here and that each test is there.
 */
export const assertedAt = {
  call: {
    assign: [http, 'admin.assign(space, child)'],
    prepare: [upgrade, "admin.post<Accepted>('Prepare'"],
    deploy: [http, "admin.post<Accepted>('Deploy'"],
    upgrade: [upgrade, "admin.post<Accepted>('Upgrade'"],
    rollback: [upgrade, "admin.post<Accepted>('Rollback'"],
    remove: [http, "run('Delete'"],
    repair: [repair, "'Repair'"],
    leftovers: [leftovers, 'deployments.leftovers'],
    catalogApp: [http, 'deployments.catalogApp'],
    revisions: [http, 'deployments.revisions'],
    revision: [upgrade, 'deployments.revision,'],
    compareRevisions: [upgrade, 'deployments.compareRevisions'],
    askApproval: [
      'system-tests/security/gain-the-cluster/ask-for-the-cluster.http.test.ts',
      'await teams.ask(team, app',
    ],
    preview: [upgrade, 'deployments.preview'],
    releaseName: [http, 'deployments.releaseName'],
    deployed: [http, 'deployments.deployed,'],
    deployedApp: [http, 'deployments.deployedApp'],
    deployedByIds: [http, 'deployments.deployedByIds'],
    validate: [http, 'deployments.validate'],
    toYaml: [upgrade, '/v1/convert/toyaml'],
    toJson: [upgrade, '/v1/convert/tojson'],
    listActions: [http, 'deployments.listActions'],
    getAction: [http, 'deployments.getAction'],
    cancelAction: [engine, 'an action that waits can be cancelled once'],
    abortAction: [aborting, 'abort('],
    retryAction: [repair, '/retry'],
    actionEvents: [http, 'deployments.actionEvents'],
  },
  action: {
    Assign: [engine, 'an app is assigned, deployed, upgraded, rolled back and deleted'],
    Prepare: [engine, 'what was prepared goes to the socket that asked, and to nobody else'],
    Deploy: [engine, 'Deploy result of App: Success'],
    Upgrade: [engine, 'Upgrade result of App: Success'],
    Rollback: [upgrade, "admin.post<Accepted>('Rollback'"],
    Delete: [engine, 'a deletion that Helm only began is begun again until the release is gone'],
    Repair: [repair, 'a release that a foreign Helm left locked is explained, repaired'],
    ChangeWorkload: ['server/src/services/clusters/scaling/scaling.http.test.ts', "kind: 'ChangeWorkload'"],
    DeleteSpace: [`${here}/commands/clear.http.test.ts`, 'leaves nothing on its cluster'],
    LeaveCluster: [
      'system-tests/security/after-removal/stay-on-a-cluster-that-was-left.http.test.ts',
      'leaves nothing there, by an action of the ledger',
    ],
    DeregisterCluster: [`${here}/commands/clear.http.test.ts`, 'has nothing of the portal left'],
  },
  state: {
    Success: [engine, "toMatchObject({ state: 'Success' })"],
    Failed: [engine, "[['refused'], 'Failed']"],
    Timeout: [engine, 'toMatchObject({ state: 2,'],
  },
  'lint result': {
    ok: [http, "resultType: 'ok'"],
    info: [`${here}/engine/ending.test.ts`, "resultType: 'info'"],
    error: [http, "resultType: 'error'"],
    fatal: [http, "'fatal'"],
  },
  'IAM result': {
    Success: [access, "'Success'"],
    GroupFaild: [access, "'GroupFaild'"],
    RolesFailed: [access, "'RolesFailed'"],
    RedirectUrisFailed: [access, "'RedirectUrisFailed'"],
    UnknownError: [engine, 'UnknownError'],
  },
  'socket event': {
    message: [http, "'message'"],
    IAM: [engine, "['IAM', 'helmresult', 'hookresult', 'Deploy']"],
    Prepare: [engine, "'Prepare'"],
    Deploy: [engine, "['IAM', 'helmresult', 'hookresult', 'Deploy']"],
    Upgrade: [http, "'Upgrade'"],
    Rollback: [http, "'Rollback'"],
    Delete: [http, "'Delete'"],
    helmresult: [api, "event: 'helmresult'"],
    hookresult: [api, "event: 'hookresult'"],
    register: [engine, 'a browser that registers before there is an action hears everything, once and in order'],
    deregister: [http, "'deregister'"],
  },
  'message type': {
    assign: [progress, "'assign'"],
    prepare: [http, "'prepare']"],
    ensurenamespace: [http, "'ensurenamespace'"],
    deploy: [http, "['deploy', 'ensurenamespace'"],
    upgrade: [http, 'toContain(kind.toLowerCase())'],
    rollback: [http, 'toContain(kind.toLowerCase())'],
    delete: [http, 'toContain(kind.toLowerCase())'],
    iam: [http, "'helm', 'iam'"],
    helm: [http, "'helm', 'iam'"],
  },
  'message level': {
    debug: [http, "['debug', 'info']"],
    info: [http, "['debug', 'info']"],
    error: [`${here}/engine/ending.test.ts`, "level: 'error'"],
  },
  'error code': {
    'deployment.action-not-found': [engine, 'deployment.action-not-found'],
    'deployment.release-name-taken': [http, 'deployment.release-name-taken'],
    'deployment.release-name-of-another': [http, 'deployment.release-name-of-another'],
    'deployment.already-deployed': [http, 'deployment.already-deployed'],
    'deployment.already-running': [engine, 'deployment.already-running'],
    'deployment.revision-not-found': [http, 'deployment.revision-not-found'],
    'deployment.not-deployed': [http, 'deployment.not-deployed'],
    'deployment.revision-changed': [upgrade, 'deployment.revision-changed'],
    'deployment.helm-at-work': [repair, 'deployment.helm-at-work'],
    'deployment.not-retryable': [repair, 'deployment.not-retryable'],
    'deployment.not-waiting': [engine, 'deployment.not-waiting'],
    'deployment.not-abortable': [aborting, 'deployment.not-abortable'],
    'deployment.leftover-stays': [leftovers, 'deployment.leftover-stays'],
    'deployment.disk-full': [disk, 'deployment.disk-full'],
    'deployment.pods-elevated': [elevated, 'deployment.pods-elevated'],
    'database.unavailable': [database, 'database.unavailable'],
    'database.outcome-unknown': [database, 'database.outcome-unknown'],
    'database.full': [disk, 'database.full'],
    'values.invalid-yaml': [`${here}/values/values.test.ts`, 'values.invalid-yaml'],
    'values.secret-missing': [upgrade, 'values.secret-missing'],
    'values.too-large': [`${here}/values/values.test.ts`, 'values.too-large'],
  },
  status: Object.fromEntries(
    [0, 400, 401, 403, 404, 429, 500, 502, 503, 504].map((status) => [
      String(status),
      [apiError, `[${status}, '`] as Place,
    ]),
  ),
  /** Texts that people read, as sections 8 and 4.3 word them. */
  words: {
    'Deploy result of App: {state}': [engine, 'Deploy result of App: Success'],
    'Upgrade result of App: {state}': [engine, 'Upgrade result of App: Success'],
    'Starting to Upgrade App': [engine, 'Starting to Upgrade App ...... (This can take a while)'],
    'Starting rollback of': [engine, 'Starting rollback of'],
    'Rolling back': [engine, 'Rolling back'],
    'Timeout received': [engine, 'Timeout received, waiting for HELM...'],
    'Deployment finished': [engine, "summary: 'Deployment finished'"],
    'Communication Error ({message})': [progress, 'Communication Error (gone)'],
    'timed out, flagged in the log': [progress, 'timed out waiting'],
    'Wrong action type': [wizardFor, 'Wrong action type'],
    'Unsupported CatalogItemType': [wizardFor, 'Unsupported CatalogItemType'],
    'Unsupported AppType': [wizardFor, 'Unsupported AppType'],
    'Unsupported DeployActionType': [wizardFor, 'Unsupported DeployActionType'],
    SolutionActionComponent: [wizardFor, 'SolutionActionComponent not implemented yet!'],
    'could not get version by versionId': [
      'e2e/src/stories/every-wizard.story.ts',
      'could not get version by versionId',
    ],
    'Caught unkown error': [apiError, 'Caught unkown error'],
    'An error has occurred': [apiError, 'An error has occurred'],
    'IAM Failed': [`${web}/wizard/progress-wizard.test.tsx`, 'IAM Failed'],
    'Go To App': ['e2e/src/stories/every-wizard.story.ts', 'Go To App'],
    'Upload of {file} failed': ['e2e/src/stories/catalog.story.ts', 'Upload of'],
  },
  /** Section 3: the payloads of commands, and the data that is read back. */
  payload: {
    'deployed app': [http, 'instanceIdentifier: app.identifier'],
    'deployData is checked field by field': [http, "'another namespace', { deployData: { namespace: 'kube-system' } }"],
    'groups with their roles': [access, 'resourceRoles'],
    'revision and its values': [upgrade, 'valuesYaml'],
    'prepared values and field configuration': [upgrade, 'fieldConfig'],
    'validation result': [http, 'ValidationResult'],
    'IAM runs first': [engine, "['IAM', 'helmresult', 'hookresult', 'Deploy']"],
  },
} as const satisfies Record<string, Record<string, Place>>
