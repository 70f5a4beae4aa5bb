/** Places that pods of a space reach beside each other and DNS, as somebody who edits the cluster has opened them. */
export interface NetworkReach {
  /** Addresses outside of the cluster: all but private ones. */
  internet: boolean
  /** The API server of the cluster, which operators talk to. */
  apiServer: boolean
  /** Further namespaces, which also reach the pods of the space. */
  namespaces: string[]
  /** Further addresses, as CIDR: 10.20.0.0/16. */
  addresses: string[]
  /** Everything that network policies of charts, and of who uses kubectl in the space, open for its pods. */
  chartPolicies: boolean
}

export const noReach: NetworkReach = {
  internet: false,
  apiServer: false,
  namespaces: [],
  addresses: [],
  chartPolicies: false,
}
/** How many further namespaces, and how many addresses, a space reaches at most. */
export const mostReached = 20
