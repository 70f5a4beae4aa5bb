import type { Budget } from '@quayside/contract/cost/budget'
import { useState } from 'react'
import { useSetBudget } from '../../../api/cost/budget.ts'
import { currencies } from '../../../lib/currencies.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

interface Props {
  spaceId: string
  current: Budget | null
  onClose: () => void
}

/** Sets what a space may cost in a month, or takes the budget away. */
export function BudgetDialog({ spaceId, current, onClose }: Props) {
  const save = useSetBudget(spaceId)
  const [amount, setAmount] = useState(current === null ? '' : String(current.amount))
  const [currency, setCurrency] = useState(current?.currency ?? 'EUR')
  const [wrong, setWrong] = useState<string>()
  const submit = () => {
    const isNone = amount.trim() === ''
    const value = Number(amount)
    const isAmount = Number.isFinite(value) && value > 0
    setWrong(isNone || isAmount ? undefined : 'Enter an amount such as 250.')
    if (isNone || isAmount) save.mutate(isNone ? null : { amount: value, currency }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Set budget"
      submitLabel="Save"
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={save.error}
    >
      <TextField
        label="Amount for a month"
        inputMode="decimal"
        data-autofocus
        help="Leave empty for no budget."
        value={amount}
        error={wrong}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Choice
        label="Currency"
        value={currency}
        options={currencies().map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
        onChange={setCurrency}
      />
    </FormDialog>
  )
}
