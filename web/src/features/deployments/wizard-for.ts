/** The wizards; `generic-delete` is the delete dialog of Serverless apps. */
export type WizardName = 'A' | 'A-with-access' | 'B' | 'C' | 'D' | 'E' | 'F' | 'generic-delete'
export type DeployActionType = 'Install' | 'Upgrade' | 'Rollback' | 'Delete'

type Row = Record<DeployActionType, WizardName | undefined>

const flow: Row = { Install: 'A-with-access', Upgrade: 'B', Rollback: 'C', Delete: 'D' }

const apps: Record<string, Row> = {
  Containerized: { Install: 'A', Upgrade: 'B', Rollback: 'C', Delete: 'D' },
  Legacy: { Install: 'A-with-access', Upgrade: 'F', Rollback: undefined, Delete: 'D' },
  SaaS: { Install: 'A-with-access', Upgrade: 'B', Rollback: 'C', Delete: 'D' },
  Serverless: { Install: 'E', Upgrade: 'F', Rollback: undefined, Delete: 'generic-delete' },
}

/** The wizard that opens for an item. Throws the text that people see when there is none. */
export function wizardFor(itemType: string, appType: string, action: DeployActionType): WizardName {
  if (itemType === 'Solution') throw new Error('SolutionActionComponent not implemented yet!')
  const row = itemType === 'Flow' ? flow : itemType === 'App' ? apps[appType] : undefined
  if (row === undefined) {
    throw new Error(
      itemType === 'App' ? `Unsupported AppType '${appType}'` : `Unsupported CatalogItemType '${itemType}'`,
    )
  }
  if (!Object.hasOwn(row, action)) throw new Error(`Unsupported DeployActionType '${action}'`)
  const wizard = row[action]
  if (wizard === undefined) throw new Error('Wrong action type')
  return wizard
}
