/** Every text of the wizards, as the specification writes it (sections 2.4 to 2.7). */
export const texts = {
  cancelDeployment: 'Cancel Deployment',
  cancelUpgrade: 'Cancel Upgrade',
  cancelRollback: 'Cancel Rollback',
  cancel: 'Cancel',
  previous: 'Previous',
  next: 'Next',
  deploy: 'Deploy',
  upgrade: 'Upgrade',
  rollback: 'Rollback',
  delete: 'Delete',
  close: 'Close',
  goToApp: 'Go To App',
  general: {
    step: 'General Information',
    heading: 'General Information',
    text: 'Provide general information about the app',
    version: 'VERSION',
    space: 'SPACE',
    cluster: 'CLUSTER',
    appName: 'APP NAME',
    tags: 'TAGS',
    nameRequired: 'Name required',
    spacesError: 'Apps Space Dropdown',
    noSpaces: 'No Spaces!',
    assigning: 'Assigning deployment',
  },
  infrastructure: {
    step: 'Infrastructure',
    text: 'Setup basic infrastructure parameters for your new deployment',
    form: 'Form',
    yaml: 'YAML',
    validating: 'Validating Infrastructure',
    failed: 'Validation failed',
    showDetails: 'Show Details',
    hideDetails: 'Hide Details',
    unknownError: 'Unknown error',
    communicationError: 'Communication Error',
    defaultYaml: '# no Yamlfile available',
  },
  data: { step: 'DATA', text: 'INPUT of DATA of Legacy App. (specification needed)' },
  serverless: { assign: 'Assign', result: 'Result' },
  access: {
    step: 'Access Management',
    text: 'You can assign one or more user groups to access this new deployment',
    groups: 'Available User Groups',
  },
  selectVersion: { step: 'Select Version' },
  selectRevision: {
    step: 'Select Revision',
    heading: 'Rollback Deployment',
    choose: 'Please choose revision to rollback to.',
    overview: 'An overview will be given on the next page.',
    installed: ' (installed)',
  },
  overview: { step: 'Overview', heading: 'Infrastructure' },
  summary: {
    step: 'Summary',
    heading: 'Deployment',
    install: 'Please review your deployment settings and select "Deploy" to start the process',
    upgrade: 'Please review your deployment settings and select "Upgrade" to start the process',
    general: 'General Info',
    appName: 'App Name',
    tags: 'Tags',
    version: 'Version',
    cluster: 'Cluster',
    space: 'Space',
    access: 'Access Management',
    group: 'Group',
    role: 'Role',
  },
  remove: {
    step: 'Delete Deployment',
    appName: 'App Name',
    release: 'Release',
    version: 'Version',
    namespace: 'Namespace',
  },
  progress: {
    step: 'Deployment',
    currentTask: 'CURRENT TASK',
    progress: 'PROGRESS',
    iam: { running: 'IAM Started', done: 'IAM Finished', failed: 'IAM Failed' },
    timeout: 'Timeout received, waiting for HELM...',
  },
} as const

export type ProgressAction = 'Deploy' | 'Upgrade' | 'Rollback' | 'Delete'

interface ProgressWords {
  header: { running: string; done: string; failed: string }
  task: { running: string; done: string; failed: string }
}

/** What the progress step says for each action; a failed deletion also says that it finished, as specified. */
export const progressWords: Record<ProgressAction, ProgressWords> = {
  Deploy: {
    header: { running: 'Deploying Now…', done: 'Deployment Finished', failed: 'Deployment Failed' },
    task: { running: 'Deployment Started', done: 'Deployment Finished', failed: 'Deployment Failed' },
  },
  Upgrade: {
    header: { running: 'Upgrading Now…', done: 'Upgrade Finished', failed: 'Upgrade Failed' },
    task: { running: 'Upgrade Started', done: 'Upgrade Finished', failed: 'Upgrade Failed' },
  },
  Rollback: {
    header: { running: 'Performing Rollback Now…', done: 'Rollback Finished', failed: 'Rollback Failed' },
    task: { running: 'Rollback Started', done: 'Rollback Finished', failed: 'Rollback Failed' },
  },
  Delete: {
    header: { running: 'Deleting Now…', done: 'Deletion Finished', failed: 'Deletion Finished' },
    task: { running: 'Deletion Started', done: 'Deletion Finished', failed: 'Delete Failed' },
  },
}
