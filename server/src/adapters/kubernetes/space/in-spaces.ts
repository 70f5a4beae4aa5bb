/** Namespaces of spaces, which carry the id of their space as a label. */
export const inSpaces = { matchExpressions: [{ key: 'quayside.io/space', operator: 'Exists' }] }

/** Accounts with the rights of a space: the portal's own for it, and those of workloads in it. */
export const bySpaceAccounts = {
  name: 'by-the-space',
  expression:
    "request.userInfo.username.startsWith('system:serviceaccount:quayside-system:') || request.userInfo.username.startsWith('system:serviceaccount:' + request.namespace + ':')",
}
