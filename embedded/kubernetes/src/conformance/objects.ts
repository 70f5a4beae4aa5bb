/** Objects that checks start from. */
export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

export const IMAGE = 'registry.k8s.io/pause:3.10'

export const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: IMAGE }], ...spec },
})

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image: IMAGE }] },
})

export const workload = (kind: string, name: string, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
})

export const deployment = (name: string, spec: object = {}) => workload('Deployment', name, spec)

export const statefulSet = (name: string, spec: object = {}) =>
  workload('StatefulSet', name, { serviceName: name, ...spec })

export const job = (name: string, spec: object = {}, podSpec: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: IMAGE }], ...podSpec } },
    ...spec,
  },
})

export const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
})
