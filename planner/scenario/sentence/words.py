"""Words without a meaning for a plan, and programs with versions."""

import re

from planner.scenario.sentence.marks import TAKEN

_FILLERS = """
a able about above actually after again ago all almost already also always am among an and any
anyone anything approx approximately are around as ask asking at average away back bad basically
be because been before being better between bit both bought box build building built busy but buy
buying by can case come configuration configured considering constantly constant continuous
continuously could couple currently current data day days decide did do does doing done down drive
drives disk disks during each easily else enough especially estimate estimated etc even ever every
everything expect expected fairly far fast few figure fine for from full get gets getting give
given go going gonna good got great guess had handle happy hard has have having heavy help hello
here hi high host hosts hour how however i if in inside install installed into is isn it its
itself just keep keeps kind know last lasting lasts later least left less let life lifespan
lifetime light like likely little live load long longer look looking lot lots low machine made
main mainly make makes many may maybe me mean means might mine month more most mostly much must my
near nearly need needed needs new next nice no normal normally now number of off often ok okay old
on once one ones only or other our out over own pair pc per perhaps plan planning please pool
possible possibly pretty probably put putting question quite rate rather real really reasonable
right roughly run running runs safe said same say seem seems see server set setup several shall
should show shows since single size so some someone something somewhat soon ssd ssds start still
storage such suppose sure survive system take takes tell than thank thanks that the their them
then there these they thing things think thinking this those though through throughput time to
today together too total towards try trying type typical typically unit until up use used useful
user users uses using usual usually want wanted wants was way we week well went were what when
where whether which while who why will wise with within wonder wondering work working workload
works worried would write writes writing written wrote year years yes yet you your zfs array
volume vdev nas endurance wear drive's disk's i'm i've i'd i'll it's that's nvme sata sas pcie usb
m u tb gb mb reads read random sequential host's workstation laptop desktop home lab homelab
office small big large whole overall capacity performance level worth reliable reliability failure
failing fail die dying dead warranty price cheap cheaper usd eur
"""
FILLERS = frozenset(_FILLERS.split())
_PROGRAMS = """
proxmox pve truenas freenas unraid debian ubuntu esxi vmware vsphere windows server linux ceph
postgres postgresql mysql mariadb mongodb kafka docker kubernetes k8s ha plex frigate synology dsm
qnap zfs version v ver release pcie gen ddr usb pi rpi ds rs dell poweredge hp nuc mac macbook
elasticsearch redis assistant
"""
VERSIONED = re.compile(
    rf"(?:^|[^a-z])(?:{'|'.join(_PROGRAMS.split())})[ -]?(?:ce |core |scale |os )?$"
)
# Words that change the meaning of their neighbours, and phrases with them that do not.
TURNS = re.compile(
    r"\b(?:per|each|every|apiece)\b(?! (?:day|week|month|year|hour|se\b))(?: [a-z]+)?"
    r"|\b(?:twice|double|triple|half|times|not|never|\w+n't|without|instead of|rather than|except"
    r"|unlike|versus|vs|during|alone|no longer|any ?more|formerly|previously"
    r"|(?:doubl|tripl|grow|increas|decreas|declin)(?:e|ed|es|ing|s|n)|growth|rising|falling"
    r"|and (?:drive|disk|ssd)|drive writes?|dwpd|fill(?:s|ed)|overwrit\w+|rewrit\w+|rated)\b"
    rf"|\b(?:no|non|neither|nor)(?=[ -]{TAKEN})"
)
UNSURE = re.compile(r"(?:not|don't|do not) (?:sure|know|certain|a lot|much)?$|if not$|or not$")
