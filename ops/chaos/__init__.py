"""Breaking a hanpan on purpose, under load, and proving afterwards that it cost nobody anything.

catalogue ──▶ Fault: a name, what it needs, and what it does to a Scene
drill     ──▶ plays many rooms, lets faults strike, measures gaps, and at the end holds logs against witnesses
site      ──▶ a hanpan of chaos's own: nodes and PostgreSQL, one machine with a small disk, or one that is given
"""
