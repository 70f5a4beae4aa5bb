import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { progressWords, texts } from './texts.ts'

/** Sections 2.4 to 2.7 of the specification, word for word. */
const specified: Record<string, readonly string[]> = {
  'the version that cannot be had': ['could not get version by versionId'],
  buttons: [
    'Cancel Deployment',
    'Cancel Upgrade',
    'Cancel Rollback',
    'Cancel',
    'Previous',
    'Next',
    'Deploy',
    'Upgrade',
    'Rollback',
    'Delete',
    'Close',
    'Go To App',
  ],
  'General Information': [
    'General Information',
    'Provide general information about the app',
    'VERSION',
    'SPACE',
    'CLUSTER',
    'APP NAME',
    'TAGS',
    'ID: ',
    'DEPLOYED APPS: ',
    'PROVIDER: ',
    'Apps Space Dropdown',
    'No Match Found!',
    'No Spaces!',
    'Name required',
    'Assigning deployment',
  ],
  Infrastructure: [
    'Infrastructure',
    'Setup basic infrastructure parameters for your new deployment',
    'Form',
    'YAML',
    'Validating Infrastructure',
    'Validation failed',
    'Show Details',
    'OK',
    'Info',
    'Error',
    'Fatal Error',
    'ERROR',
    '# no Yamlfile available',
  ],
  'Access Management': [
    'Access Management',
    'You can assign one or more user groups to access this new deployment',
    'Available User Groups',
  ],
  'Select Version and Revision': [
    'Select Version',
    'Select Revision',
    'Rollback Deployment',
    'Please choose revision to rollback to.',
    'An overview will be given on the next page.',
    ' (installed)',
    'Overview',
  ],
  Summary: [
    'Summary',
    'Deployment',
    'Please review your deployment settings and select "Deploy" to start the process',
    'Please review your deployment settings and select "Upgrade" to start the process',
    'General Info',
    'App Name',
    'Tags',
    'Version',
    'Cluster',
    'Space',
    'Group',
    'Role',
  ],
  'DATA, Assign and Result': ['DATA', 'Assign', 'Result', 'INPUT of DATA of Legacy App. (specification needed)'],
  'Delete Deployment': ['Delete Deployment', 'Release', ' / Rev: ', 'Namespace'],
  Deployment: [
    'by ',
    'CURRENT TASK',
    'PROGRESS',
    'IAM Started',
    'IAM Finished',
    'IAM Failed',
    'Timeout received, waiting for HELM...',
  ],
}

/** Header while running, when done, when failed; the task started, finished, failed. */
const progress = {
  Deploy: [
    'Deploying Now…',
    'Deployment Finished',
    'Deployment Failed',
    'Deployment Started',
    'Deployment Finished',
    'Deployment Failed',
  ],
  Upgrade: [
    'Upgrading Now…',
    'Upgrade Finished',
    'Upgrade Failed',
    'Upgrade Started',
    'Upgrade Finished',
    'Upgrade Failed',
  ],
  Rollback: [
    'Performing Rollback Now…',
    'Rollback Finished',
    'Rollback Failed',
    'Rollback Started',
    'Rollback Finished',
    'Rollback Failed',
  ],
  Delete: [
    'Deleting Now…',
    'Deletion Finished',
    'Deletion Finished',
    'Deletion Started',
    'Deletion Finished',
    'Delete Failed',
  ],
} as const

const leavesOf = (node: unknown): string[] =>
  typeof node === 'string' ? [node] : typeof node === 'object' && node ? Object.values(node).flatMap(leavesOf) : []
const all = new Set(leavesOf(texts))

describe('the catalogue of texts', () => {
  it.each(Object.entries(specified))('has what is specified, word for word: %s', (_, wanted) => {
    expect(wanted.filter((text) => !all.has(text))).toEqual([])
  })

  it.each(Object.entries(progress))('names the headers and tasks as specified: %s', (action, wanted) => {
    const { header, task } = progressWords[action as keyof typeof progressWords]
    expect([header.running, header.done, header.failed, task.running, task.done, task.failed]).toEqual(wanted)
  })

  it('is the only place of the wizards that writes them', () => {
    const folders = ['wizard', 'steps', 'merge', 'diff', 'progress']
    const sources = folders.flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder))
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
        .map((name) => [`${folder}/${name}`, readFileSync(join(import.meta.dirname, folder, name), 'utf8')] as const),
    )
    // Words that are names of actions and of fields as well are left out.
    const telling = [...all].filter((text) => text.trim().length > 11)
    const written = sources.flatMap(([name, source]) =>
      telling
        .filter((text) => source.includes(`'${text}'`) || source.includes(`"${text}"`) || source.includes(`>${text}<`))
        .map((text) => `${name}: ${text}`),
    )
    expect(written).toEqual([])
  })
})
