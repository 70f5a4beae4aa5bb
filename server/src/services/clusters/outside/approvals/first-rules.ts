/** The list that a cluster begins with: kinds that offer something to every space and give nobody a right. */
export const firstRules: readonly (readonly [group: string, kind: string])[] = [
  ['apiextensions.k8s.io', 'CustomResourceDefinition'],
  ['gateway.networking.k8s.io', 'GatewayClass'],
  ['networking.k8s.io', 'IngressClass'],
  ['scheduling.k8s.io', 'PriorityClass'],
]
