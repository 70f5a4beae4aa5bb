import { expect, it } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { namedPriorities } from './named-priorities.ts'

const of = (kind: string, spec: string) => `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: web}\n${spec}\n---\n`
const named = (manifest: string) =>
  namedPriorities(readManifest(manifest)).map(({ object, priorityClass, path }) => [object.kind, priorityClass, path])

it.each([
  ['Pod', 'spec: {priorityClassName: high}', 'spec'],
  ['Deployment', 'spec: {template: {spec: {priorityClassName: high}}}', 'spec.template.spec'],
  [
    'CronJob',
    'spec: {jobTemplate: {spec: {template: {spec: {priorityClassName: high}}}}}',
    'spec.jobTemplate.spec.template.spec',
  ],
])('a class that a %s names is found where it stands', (kind, spec, path) => {
  expect(named(of(kind, spec))).toEqual([[kind, 'high', `${path}.priorityClassName`]])
})

it.each([
  ['no class', of('Pod', 'spec: {priorityClassName: ""}')],
  ['another kind', of('Other', 'spec: {priorityClassName: high}')],
  [
    'a class of its own',
    `${of('PriorityClass', 'value: 5').replace('web', 'high')}${of('Pod', 'spec: {priorityClassName: high}')}`,
  ],
])('nothing is found in a release with %s', (_, manifest) => {
  expect(named(manifest)).toEqual([])
})
