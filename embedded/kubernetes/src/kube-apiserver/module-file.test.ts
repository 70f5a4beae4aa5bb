import { expect, test } from 'vitest'
import { moduleFile } from './module-file.ts'

const KUBERNETES = `module k8s.io/kubernetes

go 1.25.0

require (
\tgo.etcd.io/etcd/client/v3 v3.6.5
\tgo.etcd.io/etcd/server/v3 v3.6.4 // indirect
\tk8s.io/api v0.0.0
)

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
\tk8s.io/client-go => ./staging/src/k8s.io/client-go
\tk8s.io/other => k8s.io/other v1.0.0
)
`

test('replaces each staging repository by its module of the same release', () => {
  expect(moduleFile(KUBERNETES, 'v1.35.4').split('\n')).toEqual([
    'module quayside.local/kube-apiserver',
    'go 1.25.0',
    'require k8s.io/kubernetes v1.35.4',
    'require go.etcd.io/etcd/server/v3 v3.6.4',
    'replace k8s.io/api => k8s.io/api v0.35.4',
    'replace k8s.io/client-go => k8s.io/client-go v0.35.4',
    '',
  ])
})

test('a module that looks otherwise is refused, not half understood', () => {
  expect(() => moduleFile('module k8s.io/kubernetes\n\ngo 1.25.0\n')).toThrow('not as expected')
})
