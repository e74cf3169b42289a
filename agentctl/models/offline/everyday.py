"""Words as data: everyday words by theme, and how a list of words is written.

Two texts that share a theme share weak evidence, much weaker than a shared word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def word_list(text: str) -> frozenset[str]:
    """The words of a text, parted by white space."""
    return frozenset(text.split())


ACTS: Final = tuple(
    word_list(group)
    for group in (
        "cancel delete remove drop discard erase annul revoke withdraw terminate end quit",
        "book reserve schedule arrange make plan create open file raise register add log start set order buy "
        "purchase enrol enroll submit draft write leave note record report",
        "pay settle transfer move wire send refund deposit",
        "send email e-mail mail forward post share submit write notify",
        "move reschedule postpone shift change update edit modify alter rename amend adjust set "
        "correct extend",
        "close finish complete resolve end shut",
        "reopen reactivate unblock unlock restore undo enable resume",
        "block ban lock freeze disable suspend stop pause",
        "assign allocate delegate give",
        "refill renew repeat prolong extend reorder order",
        "approve accept confirm",
        "reject deny decline refuse",
        "restart reboot reset",
        "return replace exchange",
        "dispatch ship deliver",
        "lend borrow rent hire",
        "claim apply request",
        "upload publish release deploy",
        "unsubscribe leave",
        "subscribe join",
    )
)
"""Verbs of doing, in groups that may stand for one another; a tool that does one does no other."""

LOOKS: Final = word_list(
    """analyse analyze browse calculate check compare compute convert count debug describe detect determine
    estimate evaluate examine explain fetch find get identify inspect list look lookup query read retrieve say
    search see show sort state summarise summarize tally tell test translate view"""
)
"""Verbs of telling and finding out: they change nothing."""

VERBS: Final = frozenset().union(*ACTS) | word_list(
    """answer analyse analyze ask bring browse build calculate call charge check choose clear collect compare
    compose compute configure connect continue convert copy count cut debug describe detect determine
    download estimate evaluate examine execute explain export fetch fill find fix format generate get go
    help identify import inform inspect install list listen look lookup monitor need pick prepare print
    process produce provide put query read reply respond retrieve review route run save search see select
    remind message tell show sort state summarise summarize take tally test think track translate try turn
    use verify view wait want watch work"""
)
"""Words that begin an order."""

THEMES: Final[Mapping[str, str]] = {
    "payment": """account balance bank bill billed billing card cash charge charged charges credit debit due
        fee fees funds invoice invoices money overcharged owe owed pay paid payment payments payout receipt
        refund refunded reimburse reimbursement statement subscription transaction wallet""",
    "price": """afford cheap cheaper cost costs coupon deal discount discounts expensive fee offer offers
        plan plans price priced prices pricing product products promo promotion promotions quote
        quotation rate rates sale sales subscription tariff tier tiers upgrade voucher worth""",
    "delivery": """arrive arrived arrives courier deliver delivered delivery dispatch order orders package
        packages parcel parcels pickup shipment ship shipped shipping tracking track transit mail""",
    "sendback": """exchange refund replace replacement return returned returning returns""",
    "weather": """cloud cloudy cold degrees forecast hot humid humidity rain raining rainy snow snowing storm
        sun sunny temperature thunder umbrella warm weather wind windy""",
    "calendar": """agenda appointment appointments availability available book booking calendar cancel date
        event free meeting meetings move reschedule schedule scheduled slot""",
    "travel": """airport airline arrival depart departure flight flights fly flying hotel hotels journey
        luggage passenger plane reservation room seat station stay ticket tickets train trains travel trip
        vacation""",
    "trouble": """bug bugs broken crash crashed crashes crashing debug defect error errors exception fail
        failed failing fails failure fault fix freeze incident issue issues outage problem stuck trouble
        troubleshoot troubleshooting""",
    "code": """branch build code commit compile deploy deployment function git library merge program
        programming pull python refactor release repository script software test tests""",
    "staff": """absence colleague employee employees hire hiring holiday holidays hr leave maternity payroll
        pension salary sick staff vacation wage wages""",
    "access": """access account authenticate credential credentials lock locked login logins password
        passwords permission permissions reset sign signin unlock username""",
    "health": """allergy appointment clinic doctor dose fever health hospital ill illness medicine medication
        medications nurse pain patient patients pharmacy pill pills prescription sick symptom symptoms
        treatment""",
    "food": """breakfast calories cook cooking dinner dish eat food ingredient ingredients lunch meal meals
        menu recipe recipes restaurant table vegan vegetarian""",
    "writing": """article blog copy draft edit essay grammar letter proofread prose rewrite spelling summarise
        summarize summary text write writer writing""",
    "translation": """english french german italian japanese language languages spanish translate translated
        translation translations translator""",
    "adding": "add adding addition plus sum total",
    "subtracting": "difference less minus subtract subtraction",
    "multiplying": "multiplication multiplied multiply product times",
    "dividing": "divide divided division quotient ratio",
    "averaging": "average mean median",
    "arithmetic": """arithmetic calculate calculation calculator compute equation evaluate math mathematics
        maths""",
    "currency": """cents chf convert conversion currencies currency dollar dollars eur euro euros exchange gbp
        money pound pounds usd yen""",
    "stock": """available inventory quantity stock stocked supply units warehouse warehouses""",
    "law": """agreement clause compliance contract contracts court gdpr law lawyer legal liability license
        nda policy privacy regulation sue terms""",
    "report": """analysis analytics chart dashboard data figures graph kpi metric metrics numbers report
        reports revenue statistics trend trends""",
    "insurance": """
        accident claim claims cover coverage damage insurance insured liability policy premium""",
    "housing": """apartment flat house landlord lease
        maintenance mortgage property rent rental repair tenant""",
    "learning": """class course courses enrol enroll exam exams grade grades homework lecture lesson lessons
        school student students teacher university""",
    "security": """attack breach firewall hacked malware phishing security suspicious threat virus
        vulnerability""",
    "device": """battery computer device hardware internet keyboard laptop monitor network phone printer
        router screen server vpn wifi""",
    "vehicle": """brake brakes car cars drive driver engine garage mechanic oil parking tire tires tyre tyres
        vehicle vehicles""",
}
