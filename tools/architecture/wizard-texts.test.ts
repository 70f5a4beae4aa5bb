import { describe, expect, it } from 'vitest'
import { progressWords, texts } from '../../web/src/features/deployments/texts.ts'
import { isNamed, isWritten, type Leaf, leavesOf, sourcesOf, writtenByHand } from './text-catalogue.ts'

const { product, proof } = sourcesOf('deployments')

/** Where the specification is silent, and the words are ours to change. */
const ours = [
  'texts.form',
  'texts.presets',
  'texts.merge',
  'texts.diff',
  'texts.selectVersion',
  'texts.leftBehind',
  'texts.giveUp',
]
const isOurs = ({ path }: Leaf) =>
  ours.some((part) => path.startsWith(`${part}.`)) && path !== 'texts.selectVersion.step'

const leaves = leavesOf(texts, 'texts')
const words = leavesOf(progressWords, 'progressWords')

/** The texts of sections 2.4 to 2.7, 4.4, 5 and 8, letter by letter. */
const specified = {
  texts: {
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
    versionFailed: 'could not get version by versionId',
    noMatch: 'No Match Found!',
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
      id: 'ID: ',
      deployedApps: 'DEPLOYED APPS: ',
      provider: 'PROVIDER: ',
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
      outcome: { ok: 'OK', info: 'Info', error: 'Error', fatal: 'Fatal Error' },
      unknownError: 'Unknown error',
      conversionFailed: 'ERROR',
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
      revision: ' / Rev: ',
    },
    progress: {
      step: 'Deployment',
      by: 'by ',
      currentTask: 'CURRENT TASK',
      progress: 'PROGRESS',
      iam: { running: 'IAM Started', done: 'IAM Finished', failed: 'IAM Failed' },
      timeout: 'Timeout received, waiting for HELM...',
    },
  },
  progressWords: {
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
  },
}

describe('the catalogue of texts', () => {
  it('says what is specified as it is specified', () => {
    expect({ texts, progressWords }).toMatchObject(specified)
  })
  it('holds no text that the product does not show', () => {
    const unused = leaves.filter(({ path }) => !product.some((source) => isNamed(source, path)))
    expect(unused).toEqual([])
  })

  it('holds no text that neither a component test nor a journey asserts', () => {
    const isAsserted = ({ path, text }: Leaf) =>
      proof.some((source) => isWritten(source, text) || isNamed(source, path))
    expect([...leaves, ...words].filter((leaf) => !isOurs(leaf) && !isAsserted(leaf))).toEqual([])
  })

  it('no part of the product writes a text of the catalogue by hand', () => {
    expect(writtenByHand(product, leaves)).toEqual([])
  })
})
