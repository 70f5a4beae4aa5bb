export const rbacVersion = 'apiVersion: rbac.authorization.k8s.io/v1'
export const readsNodes = '{apiGroups: [""], resources: [nodes], verbs: [get, list]}'
export const everything = '{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}'

/** A cluster role with one rule. */
export const role = (name: string, rule: string, marks = '') =>
  `---\n${rbacVersion}\nkind: ClusterRole\nmetadata: {name: ${name}${marks}}\nrules: [${rule}]\n`

/** A binding of a cluster role to the default account of the space. */
export const bound = (name: string, to = name) => `---
${rbacVersion}
kind: ClusterRoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${to}}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`

/** Objects for Helm alone: validation renders without a cluster, where a lookup finds nothing. */
export const late = (objects: string) =>
  `{{- if lookup "v1" "Namespace" "" .Release.Namespace }}\n${objects}{{- end }}\n`

/** A pod that never becomes ready, for which a deployment waits until its time is over. */
export const neverReady =
  '---\napiVersion: v1\nkind: Pod\nmetadata: {name: never, annotations: {sandbox.quayside.io/fault: never-ready}}\nspec: {containers: [{name: a, image: b}]}\n'
