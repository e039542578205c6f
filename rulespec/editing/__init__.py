"""Work on the files of a project: every kind of file checked, corrected, renamed, lifted and shown in editors."""
