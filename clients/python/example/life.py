"""The life of a policy: submitted, quoted, bound, paid, changed, and a claim. Run it against a local platform:

PYTHONPATH=clients/python python3 clients/python/example/life.py <address> <machine secret> <organization>
"""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone

from bindery_client import BinderyClient, BinderyError
from bindery_client.shapes import Endorse

base_url, token, organization_id = sys.argv[1:]
bindery = BinderyClient(base_url, token=token, organization_id=organization_id)
today = datetime.now(timezone.utc).date().isoformat()

submission = bindery.create_submission(
    {
        "insuredName": "Harbor Diner",
        "naicsCode": "722511",
        "state": "TX",
        "lineOfBusiness": "GL",
        "effectiveDate": today,
        "annualRevenue": 1_000_000,
        "requestedLimit": 1_000_000,
        "lossesLast5Years": 1,
    }
)
quote = bindery.quote_submission(submission["id"])
bound = bindery.bind_submission(submission["id"], {"installmentPlan": "QUARTERLY_4"})
policy_id = bound["policyId"]

paid = 0.0
for invoice in bindery.iterate_invoices(policy_id=policy_id, limit=1):
    reference = f"Check for {invoice['invoiceNumber']}"
    payment = bindery.pay_invoice(
        invoice["id"], {"amount": invoice["balance"], "method": "check", "reference": reference}
    )
    paid += payment["amount"]

change: Endorse = {
    "effectiveDate": today,
    "changes": {"annualRevenue": 1_300_000},
    "reason": "A second kitchen.",
}
preview = bindery.preview_endorse_policy(policy_id, change)
endorsement = bindery.endorse_policy(policy_id, change)

filed = bindery.create_claim(
    {
        "policyId": policy_id,
        "lossDate": today,
        "description": "A guest fell.",
        "claimant": {"name": "Ada Guest"},
    }
)
bindery.investigate_claim(filed["id"])
claim = bindery.reserve_claim(filed["id"], {"indemnity": 5_000, "expense": 500, "reason": "First estimate."})

refusal: str | None = None
try:
    bindery.pay_invoice(bound["invoices"][0]["id"], {"amount": 1, "method": "check", "reference": "Once more"})
except BinderyError as error:
    if error.code != "amount_exceeds_balance":
        raise
    refusal = f"balance {error.details['balance']}"

result = {
    "quoted": quote["totalDue"],
    "paid": paid,
    "previewed": preview["totalChange"],
    "endorsed": endorsement["totalChange"],
    "reserved": claim["reserves"]["total"],
    "refusal": refusal,
}
print(json.dumps(result))
